"""A real Virtuoso on loopback, with its own database, ports and settings in a folder.

    with VirtuosoServer(folder=tmp_path) as server:
        address = server.load("urn:test:films", [path_to_nt])
        …  # ask that address: it names the graph

Files are read by its bulk loader. Without the program a test is skipped, and fails in CI.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import pytest

from tests.servers.processes import free_port, stop, wait_until_it_answers

_SETTINGS = """\
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 200
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DisableUnixSocket = 1
MaxClientConnections = 10
DirsAllowed = {folder}
NumberOfBuffers = 20000
MaxDirtyBuffers = 12000
MaxQueryMem = 512M
ThreadsPerQuery = 2
[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerThreads = 8
MaxClientConnections = 8
Charset = UTF-8
[SPARQL]
ResultSetMaxRows = {max_rows}
MaxQueryExecutionTime = {max_seconds}
"""
_PASSWORD = "dba"  # of a database that lives as long as the test, on loopback


def require_virtuoso() -> None:
    """Skip the test where Virtuoso is not installed; fail it in CI."""
    if shutil.which("virtuoso-t") and shutil.which("isql-vt"):
        return
    reason = "virtuoso-t and isql-vt are missing: apt-get install virtuoso-opensource-7-bin"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


class VirtuosoServer:
    """Serves until the block ends; each graph has an address of its own."""

    def __init__(self, *, folder: Path, max_rows: int = 10_000, max_seconds: int = 60) -> None:
        self._folder = folder
        self._limits = {"max_rows": max_rows, "max_seconds": max_seconds}
        self.address = ""

    def __enter__(self) -> VirtuosoServer:
        require_virtuoso()
        self._folder.mkdir(parents=True, exist_ok=True)
        port, self._sql_port = free_port(), free_port()
        self.address = f"http://127.0.0.1:{port}/sparql"
        settings = self._folder / "virtuoso.ini"
        settings.write_text(
            _SETTINGS.format(
                folder=self._folder, port=port, sql_port=self._sql_port, **self._limits
            )
        )
        log = self._folder / "out.log"
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                ["virtuoso-t", "+foreground", "+configfile", str(settings)],
                stdout=out,
                stderr=out,
                cwd=self._folder,
            )
        wait_until_it_answers(self.address, self._process, log)
        return self

    def load(self, graph: str, files: Sequence[Path]) -> str:
        """Load N-Triples files, packed or not, into a graph; the address of that graph."""
        data = self._folder / f"data{len(list(self._folder.glob('data*')))}"
        data.mkdir()
        for number, file in enumerate(files):
            is_packed = file.suffix == ".gz"
            content = gzip.decompress(file.read_bytes()) if is_packed else file.read_bytes()
            (data / f"{number}.nt").write_bytes(content)
        self.sql(f"ld_dir('{data}', '*.nt', '{graph}');")
        self.sql("rdf_loader_run();")
        self.sql("checkpoint;")
        said = self.sql(
            "select ll_file from DB.DBA.load_list where ll_state = 2 and ll_error is null"
            f" and ll_graph = '{graph}';"
        )
        if f"{len(files)} Rows" not in said:
            raise RuntimeError(f"virtuoso did not load its files\n{said}")
        return f"{self.address}?default-graph-uri={quote(graph, safe='')}"

    def sql(self, statement: str) -> str:
        """Run one statement as the owner of the database."""
        done = subprocess.run(
            ["isql-vt", f"127.0.0.1:{self._sql_port}", "dba", _PASSWORD],
            input=statement.encode(),
            capture_output=True,
            check=True,
            timeout=120,
        )
        return done.stdout.decode("utf-8", "replace")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stop(self._process)
