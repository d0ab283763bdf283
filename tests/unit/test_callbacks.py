"""A callback draws nothing: in a fragment that would take the place of what the page drew first."""

import ast
from pathlib import Path

PAGES = Path(__file__).parents[2] / "pages"
ASKED = {"on_click", "on_change", "on_submit", "on_event", "on_dismiss"}
HARMLESS = {"session_state", "query_params", "context", "spinner", "cache_resource", "cache_data"}


def test_no_callback_draws() -> None:
    drawing = [where for path in PAGES.rglob("*.py") for where in drawn_in_callbacks(path)]
    assert not drawing, "\n".join(["use frame.tell or frame.problem in place of:", *drawing])


def test_what_a_callback_draws_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.py"
    page.write_text(
        "def show():\n    st.button('a', on_click=_do)\n"
        "def _do():\n    _then()\n"
        "def _then():\n    st.toast('done')\n"
    )
    assert drawn_in_callbacks(page) == ["page.py:6 st.toast"]


def drawn_in_callbacks(path: Path) -> list[str]:
    """Return what a module's callbacks draw, and what is drawn by the functions of it that they call."""
    tree = ast.parse(path.read_text("utf-8"))
    known = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [word.value for call in calls for word in call.keywords if word.arg in ASKED]
    todo = [node.id for node in given if isinstance(node, ast.Name)]
    found, seen = [], set()
    while todo:
        name = todo.pop()
        if name in seen or name not in known:
            continue
        seen.add(name)
        for node in ast.walk(known[name]):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                todo.append(node.func.id)
            drawn = _drawn(node)
            if drawn:
                found.append(f"{path.name}:{node.lineno} st.{drawn}")
    return found


def _drawn(node: ast.AST) -> str:
    """Return what is called of Streamlit to draw; empty where nothing is."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return ""
    owner = node.func.value
    is_drawing = isinstance(owner, ast.Name) and owner.id == "st"
    return node.func.attr if is_drawing and node.func.attr not in HARMLESS else ""
