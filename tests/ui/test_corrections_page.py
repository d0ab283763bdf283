"""The Corrections page: filters, bulk decisions, undo, people who disagree, files, and hostile text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, build
from kgcore.corrections import Correction, Proposal
from kgcore.corrections.table import write_csv
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from pages.components.correction_queue import Filter, matching

ROOT = Path(__file__).parents[2]
HOSTILE = "<img src=x onerror=alert(1)> ![x](http://evil.example/x) :red[x]"
FILM, DIRECTOR = (
    Entity(EntityId("t:film"), "Night Train"),
    Relation(RelationId("t:dir"), "director"),
)
ANN, BEA, CY = (Entity(EntityId(f"t:{n}"), label) for n, label in enumerate(("Ann", "Bea", "Cy")))


def fix(new: Entity, *, author: str = "ann", kg: str = "films", reason: str = "") -> Correction:
    return Correction("", "replace", FILM, DIRECTOR, ANN, new, author, reason, kg)


TOY = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
t:film rdfs:label "Night Train" ; t:dir t:0 . t:dir rdfs:label "director" .
t:0 rdfs:label "Ann" . t:1 rdfs:label "Bea" . t:2 rdfs:label "Cy" .
t:other t:dir t:1 , t:2 .
"""


@pytest.fixture
def studio(tmp_home: Path, tmp_path: Path) -> Iterator[Studio]:
    made = build(tmp_home)
    (tmp_path / "toy.ttl").write_text(TOY)
    for name in ("films", "music"):
        made.import_graph([tmp_path / "toy.ttl"], name)
    yield made
    made.store.close()


def opened(**state: object) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.run()
    page.switch_page("pages/corrections.py")
    for name, value in state.items():
        page.session_state[name] = value
    page.run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def press(page: AppTest, label: str) -> AppTest:
    next(b for b in page.button if b.label == label).click()
    page.run()
    assert not page.exception
    return page


def labels(page: AppTest) -> list[str]:
    return [b.label for b in page.button]


def statuses(studio: Studio) -> list[str]:
    return sorted(p.status for p in studio.corrections.list())


def test_the_empty_page_says_where_corrections_come_from(studio: Studio) -> None:
    assert "No corrections yet" in html(opened())


def test_checked_ones_are_approved_together_and_undone(studio: Studio) -> None:
    for kg in ("films", "music"):
        studio.corrections.propose(fix(BEA, kg=kg))
    page = press(opened(), "Check all")
    page = press(page, "Approve 2")
    assert statuses(studio) == ["approved", "approved"]
    assert studio.corrections.list()[0].history[-1].who == "local"
    page.segmented_control(key="fix-status").set_value("approved").run()
    page = press(page, "Check all")
    press(page, "Undo 2")
    assert statuses(studio) == ["proposed", "proposed"]


def test_what_does_not_fit_the_graph_is_not_approved_and_the_rest_is(studio: Studio) -> None:
    studio.corrections.propose(fix(BEA))
    studio.corrections.propose(fix(CY, kg="gone"))
    page = press(press(opened(), "Check all"), "Approve 2")
    assert statuses(studio) == ["approved", "proposed"]
    assert "gone" in page.error[0].value


def test_a_table_is_imported_whole_or_not_at_all(studio: Studio) -> None:
    page = opened()
    nobody = Entity(EntityId("t:99"), "Nobody")
    table = write_csv([fix(BEA), fix(nobody, author="ben")]).encode()
    page.get("file_uploader")[0].set_value(("fixes.csv", table, "text/csv")).run()
    page = press(page, "Propose all 2")
    assert studio.corrections.list() == ()
    assert "2 of 2" in page.error[0].value


def test_what_is_checked_outlives_another_page(studio: Studio) -> None:
    kept = studio.corrections.propose(fix(BEA))
    page = opened()
    page.checkbox(key=f"fix-box-{kept.id}").check().run()
    page.switch_page("pages/graphs.py").run()
    page.switch_page("pages/corrections.py").run()
    assert page.checkbox(key=f"fix-box-{kept.id}").value
    assert "Approve 1" in labels(page)


def test_of_two_that_disagree_one_is_approved_and_the_other_told(studio: Studio) -> None:
    studio.corrections.propose(fix(BEA, author="ann"))
    studio.corrections.propose(fix(CY, author="ben"))
    page = opened()
    assert html(page).count("disagrees with 1") == 2
    page = press(press(page, "Check all"), "Approve 2")
    assert statuses(studio) == ["approved", "proposed"]
    assert "1 not changed" in page.error[0].value


def test_a_change_made_meanwhile_is_not_overwritten(studio: Studio) -> None:
    kept = studio.corrections.propose(fix(BEA))
    page = press(opened(), "Check all")
    studio.corrections.reject(kept.id, who="somebody")
    page.session_state["fix-status"] = "proposed"
    page = press(page, "Approve 1")
    assert statuses(studio) == ["rejected"]


def test_details_show_reason_history_and_the_other_opinion(studio: Studio) -> None:
    kept = studio.corrections.propose(fix(BEA, author="ann", reason="see the credits"))
    studio.corrections.propose(fix(CY, author="ben"))
    studio.corrections.reject(kept.id, who="cleo", note="no")
    studio.corrections.undo(kept.id, who="dan")
    shown = html(opened(**{"fix-open": kept.id}))
    for text in ("see the credits", "2 people disagree", "made a proposal again", "cleo", "dan"):
        assert text in shown


@pytest.mark.parametrize(
    "form, sign", [("csv", "new_object_label"), ("turtle", "@prefix"), ("sparql", "DELETE DATA")]
)
def test_approved_ones_are_exported_in_every_form(studio: Studio, form: str, sign: str) -> None:
    kept = studio.corrections.propose(fix(BEA))
    studio.corrections.propose(fix(CY, kg="music"))
    studio.corrections.approve(kept.id)
    page = opened()
    page.radio(key="fix-export-form").set_value(form).run()
    assert "Download 1 correction" in [b.label for b in page.get("download_button")]
    assert sign in page.code[0].value
    assert "Cy" not in page.code[0].value


def test_an_import_is_shown_before_it_is_proposed(studio: Studio) -> None:
    page = opened()
    table = write_csv([fix(BEA), fix(CY, author="ben")]).encode()
    page.get("file_uploader")[0].set_value(("fixes.csv", table, "text/csv")).run()
    assert studio.corrections.list() == ()
    assert "Bea" in html(page)
    press(page, "Propose all 2")
    assert statuses(studio) == ["proposed", "proposed"]
    assert studio.corrections.list()[0].history[0].what == "import"


def test_a_bad_table_is_refused_in_one_line(studio: Studio) -> None:
    page = opened()
    page.get("file_uploader")[0].set_value(("x.csv", b"a,b\n1,2\n", "text/csv")).run()
    assert "column id is missing" in page.error[0].value
    assert studio.corrections.list() == ()


def test_hostile_text_stays_text(studio: Studio) -> None:
    bad = Correction(
        "",
        "replace",
        Entity(EntityId("t:x"), HOSTILE),
        Relation(RelationId("t:r"), HOSTILE),
        Literal(HOSTILE),
        Literal("v" + HOSTILE),
        author=HOSTILE,
        reason=HOSTILE,
        kg="films",
    )
    kept = studio.corrections.propose(bad)
    studio.corrections.reject(kept.id, who=HOSTILE, note=HOSTILE)
    page = opened(**{"fix-open": kept.id})
    assert "<img" not in html(page)
    assert html(page).count("&lt;img") >= 8
    assert all("![x](" not in label for label in labels(page))


@pytest.mark.parametrize(
    "chosen, n",
    [
        (Filter(), 2),
        (Filter(status="proposed"), 2),
        (Filter(status="approved"), 0),
        (Filter(kgs=("music",)), 1),
        (Filter(authors=("ann",)), 1),
        (Filter(text="night BEA"), 1),
        (Filter(text="credits"), 1),
    ],
)
def test_filters(chosen: Filter, n: int) -> None:
    one = Proposal(fix(BEA, author="ann"))
    other = Proposal(fix(CY, author="ben", kg="music", reason="see the credits"))
    assert len(matching([one, other], chosen)) == n
