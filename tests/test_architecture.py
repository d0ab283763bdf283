"""The rules of the code base that a machine can check: imports, sizes, names, and what files may say."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock")
MAY_PRINT = ("kgcore/cli", "kgcore/__main__.py")

# Written in pieces, so that this file does not name them.
REGISTRIES = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "registry." + "npmjs.org",
    "registry." + "yarnpkg.com",
    "conda." + "anaconda.org",
    "crates" + ".io",
    "proxy." + "golang.org",
    "rubygems" + ".org",
)
MACHINE_PATHS = re.compile(
    r"(?<![\w.~}-])/(root|home/\w+|Users/\w+|work/(main|shared)|tmp/brief|opt/(pypi|wheels))\b"
)


def tracked_files() -> list[Path]:
    """Every file under version control; in an unpacked archive every file that is not hidden or built."""
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "ls-files", "-z"]
    if (ROOT / ".git").exists():
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        paths = [ROOT / name for name in listed.split("\0") if name]
        return sorted(path for path in paths if path.is_file())
    hidden_or_built = re.compile(r"(^|/)(\.(?!ci/|streamlit/)|__pycache__/)")
    paths = [path for path in ROOT.rglob("*") if path.is_file()]
    return sorted(path for path in paths if not hidden_or_built.search(name_of(path)))


def modules(*places: str) -> list[Path]:
    """The Python files of these top-level files and folders."""
    found: list[Path] = []
    for place in places:
        path = ROOT / place
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return found


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def too_long(paths: list[Path], limit: int) -> dict[str, int]:
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in paths}
    return {name: length for name, length in lengths.items() if length > limit}


def texts() -> Iterator[tuple[str, str]]:
    """Name and text of each tracked text file."""
    for path in tracked_files():
        try:
            yield name_of(path), path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture or an archive


def calls(path: Path, *names: str) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return [
        f"{name_of(path)}:{node.lineno} {node.func.id}()"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]


def test_the_import_contracts_hold(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    code = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert code == 0, capsys.readouterr().out


def test_the_model_needs_the_standard_library_only() -> None:
    foreign = []
    for path in modules("kgcore/model"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            tops = {name.partition(".")[0] for name in names}
            foreign += [(name_of(path), top) for top in tops - {"kgcore"} - sys.stdlib_module_names]
    assert foreign == []


def test_the_library_logs_and_does_not_print() -> None:
    library = [p for p in modules("kgcore") if not name_of(p).startswith(MAY_PRINT)]
    assert library
    assert [found for path in library for found in calls(path, "print")] == []


def test_no_breakpoint_is_left_behind() -> None:
    everything = modules("kgcore", "app.py", "pages", "bench", "tests")
    assert [found for path in everything for found in calls(path, "breakpoint")] == []


def test_modules_stay_short() -> None:
    assert too_long(modules("kgcore", "bench", "pages/components"), 400) == {}


def test_pages_stay_thin() -> None:
    assert too_long(sorted((ROOT / "pages").glob("*.py")), 120) == {}
    assert too_long(modules("app.py"), 40) == {}


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    drawers = {"utils.py", "util.py", "helpers.py", "helper.py", "misc.py", "common.py"}
    assert [name_of(path) for path in tracked_files() if path.name in drawers] == []


def test_no_file_names_a_package_registry() -> None:
    found = [(name, host) for name, text in texts() for host in REGISTRIES if host in text]
    assert found == []


def test_no_file_names_a_path_of_one_machine() -> None:
    found = [
        (name, match.group()) for name, text in texts() for match in MACHINE_PATHS.finditer(text)
    ]
    assert found == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_hashes_and_names_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash=)", text, re.MULTILINE)
    pins = re.findall(r"^[\w.\[\]-]+==\S+.*\n(?:.*\n)*?(?=^\S|\Z)", text, re.MULTILINE)
    assert pins
    assert [pin for pin in pins if "--hash=sha256:" not in pin] == []


@pytest.mark.parametrize(
    "direct, lock",
    [
        ("requirements.txt", LOCKS[0]),
        ("requirements.txt", LOCKS[1]),
        ("requirements-dev.txt", LOCKS[1]),
    ],
)
def test_a_lock_holds_every_direct_dependency(direct: str, lock: str) -> None:
    named = set(re.findall(r"^[A-Za-z][\w-]*", (ROOT / direct).read_text("utf-8"), re.MULTILINE))
    pinned = set(re.findall(r"^([\w-]+)==", (ROOT / lock).read_text("utf-8"), re.MULTILINE))
    assert {name.lower() for name in named} - pinned == set()


def test_the_app_ships_with_safe_settings() -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["maxUploadSize"] <= 50
    assert settings["client"]["showErrorDetails"] == "none"
    assert settings["browser"]["gatherUsageStats"] is False
    # On by default, and they stay on: requests and sockets from other origins are refused.
    assert "enableCORS" not in settings["server"]
    assert "enableXsrfProtection" not in settings["server"]
