"""Every sentence that an error of kgcore tells a person is known in each language."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from kgcore.errors import BudgetExceededError
from kgcore.i18n import LANGUAGES, told

ROOT = Path(__file__).parents[3]
# What only a programmer meets (wrong types, broken promises), and what argparse and an own exception type wrap.
FOR_PROGRAMMERS = {
    "ArgumentTypeError",
    "AssertionError",
    "AttributeError",
    "BlockingIOError",
    "ConnectionAbortedError",
    "TypeError",
}
# The command line speaks English; its own modules raise for its own terminal only.
ENGLISH_ONLY = ("kgcore/cli/", "kgcore/testing/")
# A ValueError is caught where it is raised and never shown, but in these: there it says what is wrong with a line.
SHOWN_VALUE_ERRORS = "kgcore/kg/files/"
# The failures of other people's libraries that ours pass on in their words.
FOREIGN = ("httpx.",)


def sentences() -> list[tuple[str, str]]:
    """Return (place, sentence) of each raise in kgcore whose sentence is written there, values filled in."""
    found = []
    for path in sorted((ROOT / "kgcore").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(ENGLISH_ONLY):
            continue
        is_shown = name.startswith(SHOWN_VALUE_ERRORS)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                kind = ast.unparse(node.exc.func)
                if kind.startswith(FOREIGN) or (kind == "ValueError" and not is_shown):
                    continue
                found += [(f"{name}:{node.lineno}", text) for text in told_by(node.exc)]
    return found


def told_by(call: ast.Call) -> Iterator[str]:
    """Yield the sentences of an error that is made here; none where they are made elsewhere."""
    kind = ast.unparse(call.func).rpartition(".")[2]
    if kind in FOR_PROGRAMMERS or not kind.lower().endswith("error"):
        return
    if kind == "ImportFileError":
        yield from (f"a.csv, line 3: {text}" for text in texts(call.args[2]))
    elif kind == "BudgetExceededError":
        yield from (str(BudgetExceededError(text, 7)) for text in texts(call.args[0]))
    elif call.args:
        yield from (text for text in texts(call.args[0]) if re.search("[a-z]{3}", text))


def texts(node: ast.expr) -> list[str]:
    """Return all texts that an expression can be; values are filled in with something short."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        parts = [texts(part) for part in node.values]
        return ["".join(choice) for choice in product(*parts)]
    if isinstance(node, ast.FormattedValue):
        inner = texts(node.value) if isinstance(node.value, ast.IfExp) else []
        return inner or ["7"]
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    if isinstance(node, ast.BinOp):
        return ["".join(pair) for pair in product(texts(node.left), texts(node.right) or ["7"])]
    return []


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_error_is_told_in_each_language(language: str) -> None:
    unknown = [
        f"{place}: {sentence}"
        for place, sentence in sentences()
        if sentence.strip("7 :") and told(sentence, language) == sentence
    ]
    assert not unknown, "\n".join(["no translation of:", *unknown])


def test_the_sentences_are_found() -> None:
    assert len(sentences()) > 250
