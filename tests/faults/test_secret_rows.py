"""Keys that must show nowhere, names that must stay in the data folder, loaders that must not exist, and defaults.

Real processes on a real model server that answers in every wrong way it can. Rows S9, S17, S18, S24.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers.openai_server import Cut, Entry, Hang, OpenAIServer, Reset, Say, Status
from tests.servers.warm_cli import Process, WarmCli

ROOT = Path(__file__).parents[2]
CANARY = "sk-canary-0a1b2c3d4e5f60718293"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TOY = f"""\
<http://toy.example/film> {LABEL} "Night Train" .
<http://toy.example/film> <http://toy.example/director> <http://toy.example/ann> .
<http://toy.example/ann> {LABEL} "Ann Lee" .
"""
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@dataclass
class Shell:
    """A data folder with the graph `toy`, a model server and the command line with the canary as its key."""

    home: Path
    server: OpenAIServer
    cli: WarmCli

    def run(self, *argv: str, key: str = CANARY) -> Process:
        environ = {**os.environ, "KGCORE_HOME": str(self.home), "OPENAI_API_KEY": key}
        process = self.cli.start(argv, environ)
        process.wait()
        return process

    def ask(self) -> Process:
        model = ["--model", "openai/test", "--api-base", self.server.address, "--json"]
        return self.run("ask", "Who directed Night Train?", "--kg", "toy", *model)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    home = tmp_path_factory.mktemp("secret-home")
    (home / "settings.yaml").write_text("timeout_seconds: 1\n")
    file = tmp_path_factory.mktemp("files") / "toy.nt"
    file.write_text(TOY)
    with OpenAIServer() as server, WarmCli() as cli:
        shell = Shell(home, server, cli)
        imported = shell.run("kg", "import", str(file), "--name", "toy")
        assert imported.wait() == 0, imported.err
        yield shell


# S9


def error(status: int, text: str) -> Status:
    return Status(status, {}, {"error": {"message": text, "code": CANARY}})


ECHOES: dict[str, Entry] = {
    "400": error(400, f"bad header Bearer {CANARY}"),
    "401": error(401, f"no such key {CANARY}"),
    "403": error(403, f"{CANARY} is not allowed"),
    "404": error(404, f"no model for {CANARY}"),
    "429": error(429, f"limit of {CANARY}"),
    "500": error(500, f"crash at {CANARY}"),
    "overflow": error(400, f"maximum context length {CANARY}"),
    "filter": error(400, f"content_filter {CANARY}"),
    "redirect": Status(302, {"Location": f"http://127.0.0.1:1/?key={CANARY}"}),
    "page": Status(200, {"Content-Type": "text/html"}, f"<p>{CANARY}</p>"),
    "no JSON": Status(200, {}, f"{{{CANARY}"),
    "no completion": Status(200, {}, {"key": CANARY}),
    "odd usage": Say(usage={"prompt_tokens": CANARY}),
    "cut": Cut(),
    "reset": Reset(),
    "hang": Hang(60),
    "empty": Say(""),
}


def kept(home: Path) -> bytes:
    """All bytes of the data folder: database, its log, logs of the program, graphs."""
    return b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())


@needs_fork
@pytest.mark.parametrize("entry", ECHOES.values(), ids=ECHOES)
def test_S9_no_way_to_fail_writes_the_key_anywhere(shell: Shell, entry: Entry) -> None:
    shell.server.script = [entry]
    done = shell.ask()
    said = done.out + done.err
    run_id = json.loads(done.out)["run_id"]
    for argv in (("runs", "export", run_id), ("runs", "show", run_id, "--json")):
        shown = shell.run(*argv)
        assert shown.wait() == 0, shown.err
        said += shown.out + shown.err
    sent = {k.lower(): v for k, v in shell.server.received[-1].headers.items()}
    assert sent["authorization"] == f"Bearer {CANARY}"
    assert "canary" not in said
    assert b"canary" not in kept(shell.home)


@needs_fork
@pytest.mark.parametrize(
    "settings",
    [
        "openai_api_key: KEY",
        "model: [KEY",
        "model: !!python/object:KEY {}",
        "timeout_seconds: KEY",
        "api_base: http://me:KEY@127.0.0.1:1/v1",
        "api_base: http://127.0.0.1:1/v1?key=KEY",
        "database_url: postgresql://me:KEY@127.0.0.1:1/runs",
        "database_url: KEY",
    ],
)
def test_S9_a_key_in_the_settings_is_not_repeated(
    shell: Shell, tmp_path: Path, settings: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    file = home / "settings.yaml"
    file.write_text(settings.replace("KEY", CANARY) + "\n")
    if "api_base" in settings:
        file.write_text(file.read_text() + "model: openai/test\n")
    elsewhere = Shell(home, shell.server, shell.cli)
    done = elsewhere.run("ask", "Who?", "--kg", "toy")
    assert done.wait() == 1
    assert done.err.count("\n") == 1, done.err
    assert "canary" not in done.out + done.err
    file.unlink()
    assert b"canary" not in kept(home)


@needs_fork
@pytest.mark.parametrize("base", ["http://me:KEY@127.0.0.1:1/v1", "http://127.0.0.1:1/v1?k=KEY"])
def test_S9_a_key_in_an_address_is_refused_and_not_kept(shell: Shell, base: str) -> None:
    model = ("--model", "openai/test", "--api-base", base.replace("KEY", CANARY))
    done = shell.run("ask", "Who?", "--kg", "toy", *model)
    assert done.wait() == 1
    assert "canary" not in done.out + done.err
    assert b"canary" not in kept(shell.home)


# S17

NAMES = [
    "../../escape", "/etc/passwd", "..", "a/../../b", "CON", "x" * 300, "..\\..\\b", "a b", "~", "-rf",
    "%2e%2e%2f", ".hidden", "a\nb", "a\u202eb",
]  # fmt: skip


@needs_fork
@pytest.mark.parametrize("name", NAMES)
def test_S17_a_prompt_set_has_a_plain_name_or_is_refused(shell: Shell, name: str) -> None:
    done = shell.run("ask", "Who directed Night Train?", "--kg", "toy", "--set", f"prompts={name}")
    assert done.wait() == 1
    assert done.err.count("\n") == 1, done.err
    assert "Traceback" not in done.err


@needs_fork
def test_S17_an_imported_run_writes_nothing_outside_whatever_its_id(
    shell: Shell, tmp_path: Path
) -> None:
    shell.server.script = [Say("?")]
    made = shell.ask()
    run_id = json.loads(made.out)["run_id"]
    text = shell.run("runs", "export", run_id).out
    home = tmp_path / "deep" / "home"
    elsewhere = Shell(home, shell.server, shell.cli)
    file = tmp_path / "run.json"
    for name in [*NAMES[:5], "nul\0byte"]:
        file.write_text(text.replace(run_id, json.dumps(name)[1:-1]), "utf-8")
        done = elsewhere.run("runs", "import", str(file), "--json")
        if done.wait() == 0:  # under an id of its own
            assert json.loads(done.out)["run_id"].isalnum()
        else:
            assert done.err.count("\n") == 1, done.err
        shown = elsewhere.run("runs", "show", name) if "\0" not in name else done
        assert "Traceback" not in shown.err
    assert {p.name for p in home.iterdir()} <= {"runs.sqlite", "runs.sqlite-wal", "runs.sqlite-shm"}
    assert {p.name for p in tmp_path.iterdir()} == {"deep", "run.json"}
    assert {p.name for p in home.parent.iterdir()} == {"home"}


# S18

LOADERS = {
    "pickle", "cPickle", "_pickle", "jsonpickle", "marshal", "shelve", "msgpack", "dill", "cloudpickle", "joblib",
    "code", "codeop",
}  # fmt: skip
CALLS = {
    "eval", "exec", "compile", "__import__", "yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load",
    "yaml.unsafe_load_all", "yaml.full_load_all", "numpy.load", "np.load", "torch.load", "pandas.read_pickle",
    "pd.read_pickle", "os.system", "os.popen",
}  # fmt: skip


def sources() -> list[Path]:
    return [
        ROOT / "app.py",
        *sorted((ROOT / "pages").rglob("*.py")),
        *sorted((ROOT / "kgcore").rglob("*.py")),
    ]


def loaders(tree: ast.AST) -> list[str]:
    """Name what in a module would run what data says: imports, calls, and options that allow it."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [a.name for a in node.names if a.name.partition(".")[0] in LOADERS]
        elif isinstance(node, ast.ImportFrom):
            found += [str(node.module)] if str(node.module).partition(".")[0] in LOADERS else []
            names = {f"{node.module}.{a.name}" for a in node.names}
            found += sorted(names & CALLS)
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            found += [name] if name in CALLS else []
            options = {k.arg: ast.unparse(k.value) for k in node.keywords}
            found += (
                [f"{name}(allow_pickle)"] if options.get("allow_pickle", "False") != "False" else []
            )
            found += (
                [f"{name}(persist)"] if "persist" in options else []
            )  # a cache on disk is a pickle
            found += [f"{name}(shell)"] if options.get("shell", "False") != "False" else []
    return found


def test_S18_no_module_holds_a_loader_that_runs_what_it_reads() -> None:
    assert len(sources()) > 100
    assert {str(f): loaders(ast.parse(f.read_text("utf-8"))) for f in sources()} == {
        str(f): [] for f in sources()
    }


@pytest.mark.parametrize(
    "code",
    [
        "import pickle", "from marshal import loads", "import yaml; yaml.load(x, Loader=L)", "eval(x)", "exec(x)",
        "from yaml import unsafe_load", "np.load(f, allow_pickle=True)", "st.cache_data(persist='disk')",
        "subprocess.run(x, shell=True)", "def f():\n    import shelve",
    ],
)  # fmt: skip
def test_S18_the_search_for_loaders_finds_them(code: str) -> None:
    assert loaders(ast.parse(code))


def test_S18_plain_loaders_are_fine() -> None:
    assert not loaders(
        ast.parse("import json, yaml, re\nyaml.safe_load(x); json.loads(x); re.compile(x)")
    )


# S24


def test_S24_the_defaults_that_are_shipped_are_in_force() -> None:
    options = {
        "client.showErrorDetails": "none",
        "server.address": "127.0.0.1",
        "browser.gatherUsageStats": False,
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        "server.maxUploadSize": 50,
        "runner.magicEnabled": False,
        "runner.postScriptGC": False,
        "global.developmentMode": False,
    }
    code = "import json, sys; from streamlit import config\n"
    code += "print(json.dumps({n: config.get_option(n) for n in sys.argv[1:]}))"
    done = subprocess.run(
        [sys.executable, "-c", code, *options],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT_")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == options
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "--server.address 127.0.0.1" in makefile
    assert "0.0.0.0" not in makefile
