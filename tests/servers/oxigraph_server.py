"""A real SPARQL server on loopback: the `oxigraph` binary serving files read-only.

with OxigraphServer([path], folder=tmp_path) as server:
    …  # ask server.address
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from tests.servers.processes import free_port, stop, wait_until_it_answers


def oxigraph_binary() -> str:
    """The server's program, from the environment the tests run in."""
    beside = Path(sys.executable).parent / "oxigraph"
    found = str(beside) if beside.is_file() else shutil.which("oxigraph")
    if found is None:
        raise RuntimeError("the oxigraph server is missing: pip install oxigraph")
    return found


class OxigraphServer:
    """Loads files into a store in `folder`, then serves it until the block ends."""

    def __init__(
        self, files: Sequence[Path], *, folder: Path, timeout_s: int | None = None
    ) -> None:
        self._files, self._folder = files, folder
        self._timeout = ["--timeout-s", str(timeout_s)] if timeout_s else []
        self.address = ""

    def __enter__(self) -> OxigraphServer:
        store = self._folder / "store"
        for file in self._files:
            self._load(file, store)
        port = free_port()
        self.address = f"http://127.0.0.1:{port}/query"
        log = self._folder / "oxigraph.log"
        command = [oxigraph_binary(), "serve-read-only", "--location", str(store)]
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                [*command, "--bind", f"127.0.0.1:{port}", *self._timeout], stdout=out, stderr=out
            )
        wait_until_it_answers(self.address, self._process, log)
        return self

    def _load(self, file: Path, store: Path) -> None:
        name = file.name.removesuffix(".gz")
        data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        subprocess.run(
            [oxigraph_binary(), "load", "--location", str(store), "--format", name.split(".")[-1]],
            input=data,
            check=True,
            capture_output=True,
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stop(self._process)
