"""Every text on a page is known in each language, said once, with the same values, and used."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from kgcore.i18n import LANGUAGES
from kgcore.i18n.catalogue import catalogue, holes

ROOT = Path(__file__).parents[3]
CATALOGUES = ROOT / "kgcore" / "i18n"
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
CODE = [*PAGES, *sorted((ROOT / "kgcore").rglob("*.py"))]
OTHERS = [code for code in LANGUAGES if code != "en"]
N_TEXTS = {
    "t": 1,
    "tn": 2,
    "mark": 1,
    "translate": 1,
    "plural": 2,
}  # texts among the first arguments
MARKDOWN = re.compile(r":\w+(?:/\w+:?)?|\[|\]|UTC")  # marks of Streamlit's own, and what is a name
LEAST = 4  # letters that say something
# Parts of pages whose text a person reads, by the name of the call and the argument.
WIDGETS = set(
    "button caption checkbox date_input dialog download_button error expander file_uploader form_submit_button info "
    "link_button markdown multiselect number_input pills popover progress radio segmented_control selectbox slider "
    "spinner status subheader success tabs text text_area text_input title toast toggle warning write".split()
)
READ = {"label", "help", "placeholder", "captions", "body"}
# Names, addresses and signs that are the same in every language.
SAME_EVERYWHERE = {
    "MusicBrainz",
    "https://…",
    "https://example.org/sparql",
    "https://example.org/w/api.php",
    "k",
    "local",
    "musicbrainz",
}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def literals() -> dict[str, str]:
    """Return each text that is given to be translated, with a place where it is."""
    found: dict[str, str] = {}
    for path in CODE:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for text in node.args[: N_TEXTS.get(node.func.id, 0)]:
                    if (
                        isinstance(text, ast.Constant)
                        and isinstance(text.value, str)
                        and text.value
                    ):
                        found.setdefault(text.value, place(path, node))
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_a_translation(language: str) -> None:
    known = catalogue(language)
    missing = [f"{where}: {text}" for text, where in literals().items() if text not in known]
    assert not missing, "\n".join(["no translation of:", *missing])


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_takes_the_values_of_its_text(language: str) -> None:
    wrong = [
        text
        for text, translation in catalogue(language).items()
        if set(holes(translation)) != set(holes(text))
    ]
    assert not wrong


@pytest.mark.parametrize("language", OTHERS)
def test_no_two_files_contradict_each_other(language: str) -> None:
    said: dict[str, set[str]] = {}
    for file in sorted((CATALOGUES / language).glob("*.yaml")):
        node = yaml.compose(file.read_text("utf-8"))
        for text, translation in node.value if node is not None else ():
            said.setdefault(text.value, set()).add(translation.value)
    assert not {text: found for text, found in said.items() if len(found) > 1}


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_is_of_a_text_that_is_said(language: str) -> None:
    """The fixed parts of a text stand somewhere in the code, or nobody says it any more."""
    said = "\0".join(sorted(constants())).casefold()
    texts = literals()
    unused = [
        text
        for text in catalogue(language)
        if text not in texts and not all(is_said(part, said) for part in fixed_parts(text))
    ]
    assert not unused, "\n".join(["nobody says:", *unused])


def is_said(part: str, said: str) -> bool:
    """Whether the code can put a text together from its own texts, none of them a mere syllable."""
    while part:
        n = next((n for n in range(len(part), 3, -1) if part[:n] in said), 0)
        if not n:
            return len(part) < LEAST
        part = part[n:]
    return True


def constants() -> set[str]:
    found = set()
    for path in CODE:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    for path in sorted((ROOT / "kgcore" / "llm" / "offline" / "cues").glob("*.yaml")):
        found.add(path.read_text("utf-8"))  # what the offline matcher says
    return found


def fixed_parts(text: str) -> list[str]:
    parts = re.split(r"\{[a-z_]+(?::[^{}]*)?\}", text.casefold())
    return [part.strip() for part in parts if len(re.findall("[a-z]", part)) >= LEAST]


def test_no_page_says_anything_past_the_catalogues() -> None:
    bare = [
        f"{place(path, node)}: {text}"
        for path in PAGES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        for text in bare_texts(node)
        if text not in SAME_EVERYWHERE
    ]
    assert not bare, "\n".join(["not translated:", *bare])


def bare_texts(call: ast.Call) -> list[str]:
    """Return the texts a call shows that were not given to be translated."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in WIDGETS:
        return []
    shown = [*call.args[:1], *(k.value for k in call.keywords if k.arg in READ)]
    return [text for value in shown for text in written(value) if re.search("[A-Za-z]{2,}", text)]


def written(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [re.sub(MARKDOWN, "", node.value)] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        fixed = "".join(part.value for part in node.values if isinstance(part, ast.Constant))
        return [re.sub(MARKDOWN, "", fixed)]
    if isinstance(node, ast.IfExp):
        return written(node.body) + written(node.orelse)
    if isinstance(node, ast.BinOp):
        return written(node.left) + written(node.right)
    if isinstance(node, ast.List | ast.Tuple):
        return [text for item in node.elts for text in written(item)]
    return []


BRAND = "Traversal|Studio"
TAG = re.compile(r"<(?!style)[a-z][^<>]*>|</[a-z0-9]+>")


def test_no_html_of_a_page_says_anything_past_the_catalogues() -> None:
    bare = []
    for path in PAGES:
        nodes = list(ast.walk(tree_of(path)))
        parts = {
            id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values
        }
        for node in nodes:
            text = "" if id(node) in parts else markup(node)
            if TAG.search(text) and not text.startswith(("<style", "<script")):
                rest = re.sub(f"<[^<>]*>?|{BRAND}|&nbsp;", " ", text)
                bare += [f"{place(path, node)}: {text}"] if re.search("[A-Za-z]{2,}", rest) else []
    assert not bare, "\n".join(["not translated:", *bare])


def markup(node: ast.AST) -> str:
    """Return a text of the code, a sign in place of each value."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
