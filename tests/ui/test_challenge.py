"""A challenge on the Ask page: suspects in order, marked in the drawing; what becomes of each is the person's choice."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio
from tests.integration.test_correction_story import CLUBS, NEW, OLD
from tests.ui.test_again import asked, correct, html, shown, studio

__all__ = ["studio"]  # the fixture


@pytest.fixture
def page(studio: Studio, tmp_home: Path) -> AppTest:
    """The page of a run whose answer was challenged."""
    page = shown(asked(studio).id)
    page = press(page, "This is wrong")
    next(f for f in page.text_input if f.label.startswith("The right answer")).set_value(NEW).run()
    return press(page, "Find the suspect")


def press(page: AppTest, label: str) -> AppTest:
    next(b for b in page.button if b.label == label).click().run()
    assert not page.exception
    return page


def drawing(page: AppTest) -> str:
    return "\n".join(c.proto.json for c in page.get("bidi_component"))


def test_suspects_are_listed_and_marked_in_the_drawing(page: AppTest) -> None:
    text = html(page)
    first = text[text.index('<div class="ts-suspect') :]
    assert first.index(OLD) < first.index("Rollo Bear")
    assert "home venue ?!" in drawing(page)
    assert "mascot ?!" not in drawing(page)
    assert [b.proto.type for b in page.button if b.label == "Replace"][:2] == [
        "primary",
        "secondary",
    ]
    press(page, "Close")
    assert "ts-suspect" not in html(page).replace(".ts-suspect", "")
    assert "?!" not in drawing(page)


def test_where_no_edge_stands_out_none_is_marked_and_no_button_is_put_first(
    studio: Studio, tmp_home: Path
) -> None:
    page = press(press(shown(asked(studio).id), "This is wrong"), "Find the suspect")
    text = html(page)
    assert "No edge stands out." in text
    assert '<div class="ts-suspect"' in text and "is-first" not in text.replace(".is-first", "")
    assert "?!" not in drawing(page)
    assert not any(b.proto.type == "primary" for b in page.button if b.label == "Replace")


def test_an_edge_can_be_left_and_looked_at_again(page: AppTest, studio: Studio) -> None:
    page = press(page, "Leave")
    assert "left as it is" in html(page)
    page = press(page, "Look at it again")
    assert "left as it is" not in html(page)
    assert studio.corrections.list() == ()


def test_a_proposed_correction_is_shown_at_its_edge_and_approved_there(
    page: AppTest, studio: Studio
) -> None:
    name = correct(studio)
    studio.corrections.undo(name)
    page.run()
    assert "proposed" in html(page)
    page = press(page, "Approve")
    assert studio.corrections.get(name).is_in_force
    page = press(page, "Undo")
    assert not studio.corrections.get(name).is_in_force


def test_a_correction_that_no_longer_fits_is_not_approved_there_either(
    page: AppTest, studio: Studio, tmp_path: Path
) -> None:
    name = correct(studio)
    studio.corrections.undo(name)
    page.run()
    (tmp_path / "clubs.ttl").write_text(CLUBS.replace("s:venue s:old", "s:venue s:quay"))
    studio.import_graph([tmp_path / "clubs.ttl"], "clubs")
    page = press(page, "Approve")
    assert not studio.corrections.get(name).is_in_force
    assert OLD in page.error[0].value


def test_the_right_answer_stands_in_the_correction_of_the_edge_that_ends_in_the_wrong_one(
    page: AppTest,
) -> None:
    page = press(page, "Replace")
    assert page.text_input(key="fix-text").value == NEW


def test_a_suspect_that_was_corrected_no_longer_asks_to_be(page: AppTest, studio: Studio) -> None:
    correct(studio)
    page.run()
    assert not any(b.proto.type == "primary" for b in page.button if b.label == "Replace")
