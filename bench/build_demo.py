"""Build the two demo graphs from public source graphs, hand-written facts and a selection.

    python bench/build_demo.py --data ../shared/data

reads assets/demo/selection.yaml, labels.tsv and hand-*.ttl, and writes demo-wikidata.ttl,
demo-musicbrainz.ttl and checked_ids.txt beside them.  The output depends on the inputs alone:
subjects, predicates and objects are sorted, so a rebuild of unchanged inputs changes nothing.

Two rules keep the graphs honest.  A Wikidata or MusicBrainz id that occurs in none of the source
files stops the build.  A MusicBrainz fact is taken only when one payload from a permissively
licensed repository, without tags, ratings or annotations, mentions both of its ends.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import yaml
from demo_graphs.choose import (
    choose_musicbrainz,
    choose_wikidata,
    keep_hand_values,
    link_graphs,
    relabel,
)
from demo_graphs.facts import LABEL, MB, WD, Source, expand, merged, named_in, used_ids, without
from demo_graphs.sources import (
    WIKIDATA_GRAPHS,
    known_ids,
    open_musicbrainz,
    open_payloads,
    read_labels,
    read_source,
    track_facts,
)
from demo_graphs.turtle import render

log = logging.getLogger("build_demo")
GRAPHS = ("wikidata", "musicbrainz")


def build(data: Path, home: Path) -> None:
    """Read everything, choose, check the ids and write the three files."""
    payloads = open_payloads(data)
    hand = {name: read_source([home / f"hand-{name}.ttl"]) for name in GRAPHS}
    taken = choose(data, payloads, home, hand)
    link_graphs(*([taken[name], hand[name]] for name in GRAPHS))
    names = Source()
    labels = read_labels(home / "labels.tsv")
    for name in GRAPHS:
        keep_hand_values(taken[name], hand[name])
        relabel(taken[name], labels)
        hand[name] = without(hand[name], taken[name])
        relabel(hand[name], {k: v for k, v in labels.items() if expand(k) not in taken[name].facts})
        for fact in merged(taken[name], hand[name]):
            if fact[1] == LABEL:
                names.add(fact)
    used = used_ids([*taken.values(), *hand.values()])
    unknown = sorted(used - known_ids(data, payloads))
    if unknown:
        raise SystemExit(f"ids that occur in no source file: {', '.join(unknown)}")
    for name in GRAPHS:
        text = render(f"demo-{name}", taken[name], hand[name], names)
        (home / f"demo-{name}.ttl").write_text(text, "utf-8")
        counts = [sum(map(len, part.facts.values())) for part in (taken[name], hand[name])]
        log.info("demo-%s: %d facts taken, %d by hand", name, *counts)
    (home / "checked_ids.txt").write_text("\n".join(sorted(used)) + "\n", "utf-8")


def choose(
    data: Path, payloads: dict[str, str], home: Path, hand: dict[str, Source]
) -> dict[str, Source]:
    """Return what each demo graph takes from the source graphs."""
    wanted = yaml.safe_load((home / "selection.yaml").read_text("utf-8"))
    wikidata = read_source(data / name for name in WIKIDATA_GRAPHS)
    musicbrainz = merged(open_musicbrainz(data, payloads), hand["musicbrainz"])
    for release in wanted["musicbrainz"]["track_lists"]:
        for fact in track_facts((data / "musicbrainz" / release).read_text("utf-8")):
            musicbrainz.add(fact)
    named = {name: named_in(hand[name], base) for name, base in zip(GRAPHS, (WD, MB), strict=True)}
    from_musicbrainz = choose_musicbrainz(musicbrainz, wanted["musicbrainz"], named["musicbrainz"])
    return {
        "wikidata": choose_wikidata(wikidata, wanted["wikidata"], named["wikidata"]),
        "musicbrainz": without(from_musicbrainz, hand["musicbrainz"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the demo graphs.")
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--data", type=Path, default=root.parent / "shared/data")
    parser.add_argument("--home", type=Path, default=root / "assets/demo")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    build(arguments.data, arguments.home)


if __name__ == "__main__":
    main()
