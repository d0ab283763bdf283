"""Replies kept on disk: real files, real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kgcore.transport import HttpRequest, HttpResponse
from kgcore.transport.cache import ResponseCache, key_of
from tests.servers.asking import transport
from tests.servers.faulty_server import FaultyServer, Reply

ASKED = HttpRequest(
    "http://graph.invalid/sparql", "POST", (("Accept", "application/json"),), b"q=1"
)
BODY = '{"label": "Škoda 🚗"}'.encode()


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


def reply(body: bytes = BODY, **headers: str) -> HttpResponse:
    kept = {
        "content-type": "application/json",
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    return HttpResponse(
        200, kept, body, "http://graph.invalid/sparql", "2026-03-01T12:00:00+00:00", 0.5
    )


def numbered(n: int) -> HttpRequest:
    return HttpRequest(f"http://graph.invalid/sparql?q={n}")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "replies.sqlite"


def test_a_reply_comes_back_as_it_was_with_the_time_it_was_fetched(file: Path) -> None:
    ResponseCache(file).put(ASKED, "films@1", reply(x_sparql_maxrows="10000", set_cookie="id=1"))
    found = ResponseCache(file).get(ASKED, "films@1")
    assert found is not None
    assert (found.status, found.body, found.url) == (200, BODY, ASKED.url)
    assert (found.is_cached, found.fetched) == (True, "2026-03-01T12:00:00+00:00")
    assert found.headers == {"content-type": "application/json", "x-sparql-maxrows": "10000"}


OTHERS = [
    (ASKED, "films@2"),
    (HttpRequest(ASKED.url, "GET", ASKED.headers, ASKED.body), "films@1"),
    (HttpRequest(ASKED.url + "?x", "POST", ASKED.headers, ASKED.body), "films@1"),
    (HttpRequest(ASKED.url, "POST", ASKED.headers, b"q=2"), "films@1"),
    (HttpRequest(ASKED.url, "POST", (("accept", "text/csv"),), ASKED.body), "films@1"),
]


@pytest.mark.parametrize("request_, scope", OTHERS)
def test_another_question_is_not_answered_by_it(
    file: Path, request_: HttpRequest, scope: str
) -> None:
    cache = ResponseCache(file)
    cache.put(ASKED, "films@1", reply())
    assert cache.get(request_, scope) is None


def test_secrets_and_the_case_of_names_are_no_part_of_the_key() -> None:
    same = HttpRequest(
        ASKED.url, "POST", (("ACCEPT", "application/json"),), b"q=1", (("K", "secret"),)
    )
    assert key_of(same, "films") == key_of(ASKED, "films")


def test_old_replies_and_replies_from_the_future_are_not_used(file: Path) -> None:
    clock = Clock()
    cache = ResponseCache(file, max_age_s=100, clock=clock)
    cache.put(ASKED, "films", reply())
    for now, is_found in ((1e9 + 99, True), (1e9 + 101, False), (1e9 - 3600, False)):
        clock.now = now
        assert (cache.get(ASKED, "films") is not None) == is_found


def test_the_least_recently_used_go_first_and_the_file_stays_small(file: Path) -> None:
    clock = Clock()
    cache = ResponseCache(file, max_bytes=200_000, clock=clock)
    for n in range(60):
        clock.now += 1
        cache.put(numbered(n), "films", reply(os.urandom(10_000)))
        assert cache.get(numbered(0), "films") is not None  # used all the time, so it stays
    n_kept, n_bytes = cache.size()
    assert 15 <= n_kept <= 20
    assert n_bytes <= 200_000
    kept = [n for n in range(60) if cache.get(numbered(n), "films")]
    assert kept == [0, *range(60 - n_kept + 1, 60)]
    cache.close()
    assert sum(f.stat().st_size for f in file.parent.iterdir()) < 500_000


def test_a_reply_larger_than_the_cache_is_not_kept(file: Path) -> None:
    cache = ResponseCache(file, max_bytes=5_000)
    cache.put(numbered(1), "films", reply(b"small"))
    cache.put(numbered(2), "films", reply(os.urandom(10_000)))
    assert [bool(cache.get(numbered(n), "films")) for n in (1, 2)] == [True, False]


def test_a_scope_is_cleared_by_how_it_begins(file: Path) -> None:
    cache = ResponseCache(file)
    for scope in ("films@1", "films@2", "songs@1", "100%_@1"):
        cache.put(ASKED, scope, reply())
    assert cache.clear("films@") == 2
    assert cache.clear("%") == 0
    assert cache.size()[0] == 2
    assert cache.clear() == 2
    assert cache.size() == (0, 0)


def test_processes_share_the_replies(file: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from kgcore.transport import HttpRequest, HttpResponse\n"
        "from kgcore.transport.cache import ResponseCache\n"
        "cache = ResponseCache(Path(sys.argv[1]))\n"
        "for n in range(50):\n"
        "    request = HttpRequest(f'http://graph.invalid/sparql?q={n}')\n"
        "    cache.put(request, 'films', HttpResponse(200, {}, b'x' * 9000))\n"
    )
    command = [sys.executable, "-c", script, str(file)]
    workers = [subprocess.Popen(command) for _ in range(2)]
    assert [worker.wait(timeout=30) for worker in workers] == [0, 0]
    cache = ResponseCache(file)
    assert cache.size()[0] == 50
    assert all(cache.get(numbered(n), "films") for n in range(50))


def filled(file: Path) -> ResponseCache:
    cache = ResponseCache(file)
    for n in range(100):
        cache.put(numbered(n), "films", reply(os.urandom(3000)))
    return cache


def break_(file: Path) -> None:
    """Put garbage where the replies were."""
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
    file.write_bytes(b"\xff" * file.stat().st_size)


def test_a_broken_file_is_set_aside_and_a_new_one_begun(file: Path) -> None:
    filled(file).close()
    break_(file)
    cache = ResponseCache(file)
    assert cache.get(numbered(1), "films") is None
    cache.put(ASKED, "films", reply())
    assert cache.get(ASKED, "films") is not None
    assert (file.parent / "replies.sqlite.broken").exists()


def test_a_file_that_breaks_while_it_is_used_is_no_reason_to_fail(file: Path) -> None:
    used = filled(file)
    break_(file)
    for cache in (used, ResponseCache(file), used):
        cache.get(numbered(1), "films")
        cache.put(ASKED, "films", reply())
        assert cache.get(ASKED, "films") is not None


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ResponseCache(tmp_path / "file" / "replies.sqlite")
    with FaultyServer() as server:
        for _ in range(2):
            asked = HttpRequest(server.url())
            assert not transport(cache=cache).fetch(asked, scope="films").is_cached
    assert cache.size() == (0, 0)


def test_a_full_disk_is_no_reason_to_fail(file: Path) -> None:
    script = (
        "import os, resource, signal, sys; from pathlib import Path\n"
        "from kgcore.transport import HttpRequest, HttpResponse\n"
        "from kgcore.transport.cache import ResponseCache\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "cache = ResponseCache(Path(sys.argv[1]))\n"
        "cache.put(HttpRequest('http://graph.invalid/1'), 'films', HttpResponse(200, {}, b'first'))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "for n in range(9):\n"
        "    reply = HttpResponse(200, {}, os.urandom(100_000))\n"
        "    cache.put(HttpRequest(f'http://graph.invalid/big{n}'), 'films', reply)\n"
        "print('alive')\n"
    )
    command = [sys.executable, "-c", script, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n")
    assert "Traceback" not in done.stderr
    first = ResponseCache(file).get(HttpRequest("http://graph.invalid/1"), "films")
    assert first is not None
    assert first.body == b"first"


def test_the_transport_keeps_what_is_whole_and_only_with_a_scope(file: Path) -> None:
    cache = ResponseCache(file)
    with FaultyServer([Reply(body=b"[1]")]) as server:
        sender, asked = transport(cache=cache), HttpRequest(server.url())
        sender.fetch(asked)
        sender.fetch(asked, scope="films", check=lambda response: False)  # cut short
        assert cache.size()[0] == 0
        fresh = sender.fetch(asked, scope="films")
        again = transport(cache=cache).fetch(asked, scope="films")
        assert (fresh.is_cached, again.is_cached) == (False, True)
        assert (again.body, again.fetched) == (fresh.body, fresh.fetched)
        assert server.n_requests == 3


def test_the_transport_does_not_keep_errors(file: Path) -> None:
    cache = ResponseCache(file)
    with FaultyServer([Reply(404), Reply(body=b"[1]")]) as server:
        asked = HttpRequest(server.url())
        with pytest.raises(Exception, match="404"):
            transport(cache=cache).fetch(asked, scope="films")
        assert transport(cache=cache).fetch(asked, scope="films").body == b"[1]"
