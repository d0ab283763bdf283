"""Built-in templates, and a user's own in their place."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from kgcore.errors import InputError
from kgcore.prompts import FilePromptSet
from kgcore.prompts.ratings import read_rating, read_ratings
from tests.unit.prompts.films import QUESTION, all_requests, choose_action, rate_state


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "en").mkdir()
    (tmp_path / "zh").mkdir()
    return tmp_path


def test_built_in_set_has_every_template_in_both_languages() -> None:
    prompts = FilePromptSet()
    for name in [*(r.template for r in all_requests()), "repair", "system"]:
        english, chinese = prompts.template(name, "en"), prompts.template(name, "zh")
        assert english.strip()
        assert chinese.strip()
        assert english != chinese


def test_own_template_takes_the_place_of_one(folder: Path) -> None:
    (folder / "en" / "rate_state.txt").write_text("Rate: {{question}}\n---\nValue: 0 to 1", "utf-8")
    own = FilePromptSet("mine", folder)
    assert rate_state().render(own).user == f"Rate: {QUESTION}\n\nValue: 0 to 1"
    assert rate_state("zh").render(own).user == rate_state("zh").render(FilePromptSet()).user
    assert choose_action().render(own) == choose_action().render(FilePromptSet())


def test_own_system_text_is_sent_with_every_request(folder: Path) -> None:
    (folder / "en" / "system.txt").write_text("Be brief.", "utf-8")
    own = FilePromptSet("mine", folder)
    assert {r.render(own).system for r in all_requests()} == {"Be brief."}


def test_template_without_a_form_can_be_repaired(folder: Path) -> None:
    (folder / "en" / "rate_state.txt").write_text("Rate: {{question}}", "utf-8")
    assert rate_state().form(FilePromptSet("mine", folder)) == ""


def test_unknown_field_names_file_and_field(folder: Path) -> None:
    (folder / "en" / "choose_action.txt").write_text("{{question}} {{qestion}}", "utf-8")
    with pytest.raises(InputError, match=r"mine/en/choose_action\.txt.*\{\{qestion\}\}.*question"):
        choose_action().render(FilePromptSet("mine", folder))


def test_own_file_that_is_no_text_is_named(folder: Path) -> None:
    (folder / "en" / "choose_action.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"choose_action\.txt"):
        choose_action().render(FilePromptSet("mine", folder))


def test_byte_order_mark_is_no_part_of_a_template(folder: Path) -> None:
    (folder / "en" / "rate_state.txt").write_text("Rate.", "utf-8-sig")
    assert rate_state().render(FilePromptSet("mine", folder)).user == "Rate."


def test_missing_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no prompt set mine"):
        FilePromptSet("mine", tmp_path / "nothing")


def test_version_follows_the_text_in_force(folder: Path) -> None:
    (folder / "en" / "rate_state.txt").write_text("Rate.", "utf-8")
    plain, own = FilePromptSet(), FilePromptSet("mine", folder)
    assert own.version("rate_state", "en") != plain.version("rate_state", "en")
    assert own.version("choose_action", "en") == plain.version("choose_action", "en")
    assert own.version("rate_state", "zh") == plain.version("rate_state", "zh")
    assert plain.version("rate_state", "zh") != plain.version("rate_state", "en")


def test_version_follows_the_system_text(folder: Path) -> None:
    (folder / "en" / "system.txt").write_text("Be brief.", "utf-8")
    assert FilePromptSet("mine", folder).version("rate_state", "en") != FilePromptSet().version(
        "rate_state", "en"
    )


@pytest.mark.parametrize("name", ["../secret", "a/b", "", "A", "..", "a\0b"])
def test_name_never_leaves_the_folder(folder: Path, name: str) -> None:
    with pytest.raises(InputError):
        FilePromptSet("mine", folder).template(name, "en")


@pytest.mark.parametrize("language", ["../..", "en/../..", "", "\0", "x" * 300])
def test_language_never_leaves_the_folder(folder: Path, language: str) -> None:
    assert FilePromptSet("mine", folder).template("repair", language) == FilePromptSet().template(
        "repair", "en"
    )


def example_set(folder: Path, shots: int) -> FilePromptSet:
    (folder / "en" / "examples").mkdir(parents=True)
    text = "".join(f"- ask: 'asked {n}'\n  reply: 'said {n}'\n" for n in range(1, 8))
    (folder / "en" / "examples" / "rate_state.yaml").write_text(text, "utf-8")
    return FilePromptSet("mine", folder, shots=shots)


def test_shots_are_worked_examples_in_front_of_the_question(tmp_path: Path) -> None:
    own = example_set(tmp_path, 2)
    prompt = rate_state().render(own)
    assert [n for n in range(1, 8) if f"asked {n}" in prompt.system] == [1, 2]
    assert "said 2" in prompt.system
    assert own.name == "mine+2"


def test_another_number_of_shots_is_another_version(tmp_path: Path) -> None:
    own = example_set(tmp_path, 2)
    plain = FilePromptSet("mine", tmp_path)
    assert own.version("rate_state", "en") != plain.version("rate_state", "en")
    assert plain.examples("rate_state", "en") == ""


@pytest.mark.parametrize("shots", [-1, 7])
def test_shots_are_between_0_and_6(shots: int) -> None:
    with pytest.raises(InputError, match="between 0 and 6"):
        FilePromptSet(shots=shots)


def test_an_example_without_a_reply_is_refused(tmp_path: Path) -> None:
    own = example_set(tmp_path, 1)
    (tmp_path / "en" / "examples" / "rate_state.yaml").write_text("- ask: x\n", "utf-8")
    with pytest.raises(InputError, match="ask and reply"):
        rate_state().render(own)


TEMPLATES = sorted(r.template for r in all_requests())


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_every_request_has_six_worked_examples_in_both_languages(name: str, language: str) -> None:
    texts = [FilePromptSet(shots=n).examples(name, language) for n in range(7)]
    assert len(set(texts)) == 7
    assert all(b.startswith(a) for a, b in pairwise(texts))
    assert ("问题" in texts[6]) == (language == "zh")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["rate_state", "rate_answer", "rate_siblings"])
def test_the_replies_of_examples_read_as_ratings(name: str, language: str) -> None:
    text = FilePromptSet(shots=6).examples(name, language)
    for block in re.split(r"\n\n(?=Example|例)", text):
        reply = re.split(r"\n(?:Reply|回答)[:：]\n", block)[1]
        if name == "rate_siblings":
            assert len(read_ratings(reply, 2)) == 2
        else:
            assert 0 <= read_rating(reply).value <= 1
