"""Passages: reading files, cutting them, finding what fits."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kgcore.errors import InputError
from kgcore.model.text import token_weight
from kgcore.ranking import default_ranker
from kgcore.sources.spec import SourceSpec
from kgcore.sources.texts.cutting import LIMIT, Section, cut
from kgcore.sources.texts.files import text_files
from kgcore.sources.texts.index import FILE, PassageIndex
from kgcore.sources.texts.reading import read
from kgcore.sources.texts.source import TextSource, open_texts
from kgcore.steps import Passages

CARDS = [
    ("Insulin", "Insulin is a hormone of the pancreas that lowers the level of sugar in blood."),
    ("Scurvy", "Scurvy is a disease caused by a lack of vitamin C."),
    ("Newton's second law", "Force equals mass times acceleration."),
    ("Photosynthesis", "Plants turn light, water and carbon dioxide into sugar and oxygen."),
    ("光合作用", "植物利用光能把水和二氧化碳变成糖和氧气。"),
    ("牛顿第二定律", "力等于质量乘以加速度。"),
]


def make_pdf(*pages: str) -> bytes:
    """Write a PDF by hand: one line of text a page."""
    n = len(pages)
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(n))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {n} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for i, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * i} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size, start = len(objects) + 1, len(out)
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    out += f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return out.encode("latin-1")


@pytest.fixture
def cards(tmp_path: Path, tmp_home: Path) -> TextSource:
    lines = [json.dumps({"title": t, "text": x, "domain": "any"}) for t, x in CARDS]
    (tmp_path / "cards.jsonl").write_text("\n".join(lines), "utf-8")
    return open_texts(SourceSpec("cards", "text", (str(tmp_path / "cards.jsonl"),)), tmp_home)


def titles(source: TextSource, query: str) -> list[str]:
    result = source.run(query)
    assert isinstance(result, Passages), result
    return [json.loads(item.raw)["title"] for item in result.items]


@pytest.mark.parametrize(
    "query, title",
    [
        ("Which hormone lowers blood sugar?", "Insulin"),
        ("What disease is caused by lacking vitamin C?", "Scurvy"),
        ("force mass acceleration", "Newton's second law"),
        ("What do plants make of light?", "Photosynthesis"),
        ("植物怎样利用光能？", "光合作用"),
        ("力和加速度有什么关系", "牛顿第二定律"),
        ('insulin" OR title:*', "Insulin"),
        ("NEAR(insulin) AND NOT sugar^", "Insulin"),
        ("INSULIN", "Insulin"),
    ],
)
def test_the_passage_that_fits_comes_first(cards: TextSource, query: str, title: str) -> None:
    assert titles(cards, query)[0] == title


def test_evidence_has_title_position_and_score(cards: TextSource) -> None:
    result = cards.run("lack of vitamin C")
    assert isinstance(result, Passages)
    first = result.items[0]
    assert first.text == CARDS[1][1]
    assert first.origin == "Scurvy, line 2 of cards.jsonl"
    assert json.loads(first.raw) == {
        "title": "Scurvy", "position": "line 2 of cards.jsonl", "text": CARDS[1][1],
    }  # fmt: skip
    scores = [item.score for item in result.items]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0


def test_a_text_that_does_not_name_its_subject_is_told_with_its_title(cards: TextSource) -> None:
    result = cards.run("force mass acceleration")
    assert isinstance(result, Passages)
    assert result.items[0].text == "Newton's second law: Force equals mass times acceleration."


def test_a_ranker_has_its_say(tmp_path: Path, tmp_home: Path) -> None:
    lines = [json.dumps({"title": t, "text": x}) for t, x in CARDS]
    (tmp_path / "cards.jsonl").write_text("\n".join(lines), "utf-8")
    spec = SourceSpec("cards", "text", (str(tmp_path / "cards.jsonl"),), rerank=True)
    plain = open_texts(spec, tmp_home)
    ranked = open_texts(spec, tmp_home, ranker=default_ranker())
    assert ranked.version != plain.version
    result = ranked.run("What do plants make of light and water?")
    assert isinstance(result, Passages)
    assert json.loads(result.items[0].raw)["title"] == "Photosynthesis"
    assert all(0 <= item.score <= 1 for item in result.items)


# --- reading


def sections(path: Path) -> list[Section]:
    return list(read(path))


def test_markdown_is_read_by_its_headings(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(
        "before\n\n# Heat\nwarm\n\n## Units\nJoule\nand calorie\n```\n# no heading\n```\n# Light\nfast"
    )
    found = [(s.title, s.place, s.paragraphs) for s in sections(file)]
    assert found == [
        ("notes", "line 1 of notes.md", ("before\n",)),
        ("Heat", "line 4 of notes.md", ("warm\n",)),
        (
            "Heat – Units",
            "line 7 of notes.md",
            ("Joule\nand calorie\n```\n# no heading\n```\n",),
        ),
        ("Light", "line 13 of notes.md", ("fast",)),
    ]


def test_plain_text_is_read_by_paragraphs(tmp_path: Path) -> None:
    file = tmp_path / "story.txt"
    file.write_text("\ufeffone\ntwo\n\n\nthree\n", "utf-8")
    (section,) = sections(file)
    assert (section.title, section.paragraphs) == ("story", ("one\ntwo\n", "three\n"))


def test_records_without_text_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "cards.jsonl"
    file.write_text('{"title": "A", "text": "a"}\nnot json\n[1]\n{"title": "B"}\n\n{"text": "c"}\n')
    notes: list[str] = []
    assert [s.title for s in read(file, notes.append)] == ["A", "cards"]
    assert notes == ["cards.jsonl: 3 lines hold no text and were left out, first line 2"]


def test_pages_of_a_pdf_are_read(tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    file.write_bytes(make_pdf("Ohm found a law", "", "Volta made a battery"))
    found = [(s.title, s.place, " ".join(s.paragraphs)) for s in sections(file)]
    assert found == [
        ("paper", "page 1 of paper.pdf", "Ohm found a law"),
        ("paper", "page 3 of paper.pdf", "Volta made a battery"),
    ]


@pytest.mark.parametrize(
    "name, content, problem",
    [
        ("a.txt", b"caf\xe9", "a.txt, line 1: it is not UTF-8"),
        ("a.md", b"# x\n\xff\xff", "it is not UTF-8"),
        ("a.pdf", b"no pdf at all", "cannot be read as PDF"),
        ("a.pdf", b"%PDF-1.4\n" + b"\x00" * 500, "cannot be read as PDF"),
        ("a.pdf", make_pdf("x")[:200], "PDF"),
        ("a.pdf", make_pdf(""), "has no text layer"),
        ("a.jsonl", b"\x80\x81", "it is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=problem) as told:
        sections(file)
    assert "\n" not in str(told.value)


def test_utf_16_is_read_where_the_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("热是能量", "utf-16")
    assert sections(tmp_path / "a.txt")[0].paragraphs == ("热是能量",)


# --- cutting


@pytest.mark.parametrize(
    "text",
    [
        "word " * 2_000,
        "A sentence that ends. " * 200,
        "这是一个句子。" * 300,
        "x" * 10_000,
        "\n\n".join(["short"] * 2_000),
    ],
)
def test_passages_stay_within_the_limit_and_lose_nothing(text: str) -> None:
    passages = list(cut(Section("t", "line 1", tuple(text.split("\n\n")))))
    assert len(passages) > 1
    assert max(token_weight(p.text) for p in passages) <= LIMIT * 1.2
    assert "".join("".join(p.text for p in passages).split()) == "".join(text.split())
    assert len({p.position for p in passages}) == len(passages)


def test_a_sentence_is_not_cut_where_it_fits() -> None:
    text = " ".join(f"Sentence number {i} is here." for i in range(200))
    passages = list(cut(Section("t", "line 1", (text,))))
    assert all(p.text.startswith("Sentence") and p.text.endswith("here.") for p in passages)


# --- files and the index


def test_folders_are_read_whole_and_hidden_files_are_not(tmp_path: Path) -> None:
    for name in ("b.txt", "a/c.md", ".hidden/x.txt", ".y.txt", "a/z.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = [f.relative_to(tmp_path).as_posix() for f in text_files((str(tmp_path),))]
    assert found == ["b.txt", "a/c.md"]


@pytest.mark.parametrize("place", ["gone", "picture.png", "empty"])
def test_a_place_without_text_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "picture.png").write_bytes(b"x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError):
        text_files((str(tmp_path / place),))


def test_only_what_has_changed_is_read_again(
    tmp_path: Path, tmp_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("one", "two", "three"):
        (folder / f"{name}.txt").write_text(f"all about {name}")
    spec = SourceSpec("files", "text", (str(folder),))
    open_texts(spec, tmp_home)
    (folder / "two.txt").write_text("all about something new")
    (folder / "three.txt").unlink()
    read_again: list[str] = []
    whole = read

    def counted(file: Path, on_skip: Callable[[str], None]) -> object:
        read_again.append(file.name)
        return whole(file, on_skip)

    monkeypatch.setattr("kgcore.sources.texts.index.read", counted)
    source = open_texts(spec, tmp_home)
    assert read_again == ["two.txt"]
    assert titles(source, "one") == ["one"]
    assert titles(source, "something new") == ["two"]
    assert titles(source, "three") == []
    assert source.health().n_items == 2


def test_one_bad_file_hides_no_other(tmp_path: Path, tmp_home: Path) -> None:
    (tmp_path / "good.txt").write_text("good words")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\xff")
    (tmp_path / "worse.pdf").write_bytes(b"nothing")
    source = open_texts(
        SourceSpec("mixed", "text", tuple(str(f) for f in sorted(tmp_path.glob("*.*")))), tmp_home
    )
    assert titles(source, "good") == ["good"]
    health = source.health()
    assert health.is_up
    assert len(health.notes) == 2
    assert {note.split()[0].rstrip(",:") for note in health.notes} == {"bad.txt", "worse.pdf"}


def test_a_source_of_bad_files_only_is_refused(tmp_path: Path, tmp_home: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match="not UTF-8"):
        open_texts(SourceSpec("bad", "text", (str(tmp_path / "bad.txt"),)), tmp_home)
    assert not any((tmp_home / "sources" / "bad").glob("[!.]*/"))


def test_the_index_is_never_written_by_those_who_ask(cards: TextSource, tmp_home: Path) -> None:
    (folder,) = (tmp_home / "sources" / "cards").glob("[!.]*/")
    before = (folder / FILE).read_bytes()
    titles(cards, "sugar")
    assert (folder / FILE).read_bytes() == before
    assert [p.name for p in folder.iterdir()] == [FILE]
    assert PassageIndex(folder, "cards").size() == len(CARDS)


def test_questions_of_hotpotqa_find_their_pages(shared_data: Path, tmp_path: Path) -> None:
    """Every second supporting page is not in the file; those that are there must be found."""
    folder = shared_data / "cok"
    (tmp_path / "pages.jsonl").write_bytes(
        gzip.decompress((folder / "hotpotqa_passages.jsonl.gz").read_bytes())
    )
    source = open_texts(
        SourceSpec("pages", "text", (str(tmp_path / "pages.jsonl"),)), tmp_path / "home"
    )
    lines = (tmp_path / "pages.jsonl").read_text("utf-8").splitlines()
    held = {json.loads(line)["title"] for line in lines}
    n_questions = n_found = 0
    for line in (folder / "hotpotqa.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        wanted = {title for title, _ in record["supporting_facts"]} & held
        if wanted:
            n_questions += 1
            n_found += bool(wanted & set(titles(source, record["question"])))
    assert n_questions > 40
    assert n_found >= 0.9 * n_questions
