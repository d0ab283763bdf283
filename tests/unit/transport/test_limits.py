"""How much a host may be asked, on a clock of the test's own."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from kgcore.transport.limits import HostLimit, Limits, Place, Wait

HOST = "graph.invalid"


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def limits(clock: Clock, limit: HostLimit, file: Path | None = None) -> Limits:
    return Limits({HOST: limit}, file=file, clock=clock)


def enter(limits: Limits, clock: Clock, host: str = HOST) -> Place | Wait:
    return limits.enter(host, until=clock.now + 10)


def waits(limits: Limits, clock: Clock) -> float:
    got = enter(limits, clock)
    return got.seconds if isinstance(got, Wait) else 0.0


def test_only_so_many_ask_at_once(clock: Clock) -> None:
    two = limits(clock, HostLimit(2))
    first, second = enter(two, clock), enter(two, clock)
    assert isinstance(first, Place)
    assert isinstance(second, Place)
    assert waits(two, clock) > 0
    two.leave(first, seconds=1, is_error=False)
    assert waits(two, clock) == 0


def test_only_so_many_ask_a_second(clock: Clock) -> None:
    paced = limits(clock, HostLimit(8, per_second=1))
    assert waits(paced, clock) == 0
    assert 1.0 <= waits(paced, clock) < 1.1
    clock.now += 1.06
    assert waits(paced, clock) == 0
    assert waits(paced, clock) >= 1.0


def test_work_of_the_last_minute_is_counted(clock: Clock) -> None:
    metered = limits(clock, HostLimit(9, seconds_of_work_per_minute=60))
    for seconds in (25, 25, 20):
        place = enter(metered, clock)
        assert isinstance(place, Place)
        metered.leave(place, seconds=seconds, is_error=False)
        clock.now += 10
    assert waits(metered, clock) == pytest.approx(30)  # the first 25 s are a minute old then
    clock.now += 30.1
    assert waits(metered, clock) == 0


def test_errors_of_the_last_minute_are_counted(clock: Clock) -> None:
    strict = limits(clock, HostLimit(9, errors_per_minute=3))
    for is_error in (True, False, True, True):
        place = enter(strict, clock)
        assert isinstance(place, Place)
        strict.leave(place, seconds=1, is_error=is_error)
        clock.now += 1
    assert waits(strict, clock) == pytest.approx(56)
    clock.now += 56.1
    assert waits(strict, clock) == 0


def test_a_pause_is_known_as_one_and_the_longer_of_two_holds(clock: Clock) -> None:
    free = limits(clock, HostLimit())
    free.pause(HOST, 20)
    free.pause(HOST, 5)
    assert enter(free, clock) == Wait(20, is_pause=True)
    clock.now += 20
    assert isinstance(enter(free, clock), Place)


def test_the_place_of_a_process_that_died_is_free_again(clock: Clock) -> None:
    one = limits(clock, HostLimit(1))
    assert isinstance(enter(one, clock), Place)
    clock.now += 14
    assert waits(one, clock) > 0
    clock.now += 2
    assert waits(one, clock) == 0


def test_what_was_noted_before_the_machine_was_started_anew_is_forgotten(
    clock: Clock, tmp_path: Path
) -> None:
    limit = HostLimit(1, per_second=0.1, errors_per_minute=1)
    before = limits(clock, limit, tmp_path / "limits")
    place = enter(before, clock)
    assert isinstance(place, Place)
    before.leave(place, seconds=5, is_error=True)
    before.pause(HOST, 300)
    enter(before, clock)
    before.close()
    clock.now = 3.0
    assert waits(limits(clock, limit, tmp_path / "limits"), clock) == 0


def test_hosts_do_not_wait_for_each_other(clock: Clock) -> None:
    one = limits(clock, HostLimit(1))
    one.pause("other.invalid", 99)
    assert isinstance(enter(one, clock), Place)
    assert isinstance(enter(one, clock, "third.invalid"), Place)


def test_a_limit_may_be_for_a_host_or_for_one_of_its_ports(clock: Clock) -> None:
    own = Limits({"a.invalid": HostLimit(1), "b.invalid:81": HostLimit(2)}, clock=clock)
    assert [own.of(h).n_parallel for h in ("a.invalid", "a.invalid:99")] == [1, 1]
    assert [own.of(h).n_parallel for h in ("b.invalid:81", "b.invalid", "c.invalid")] == [2, 8, 8]
    assert isinstance(enter(own, clock, "a.invalid:1"), Place)
    assert isinstance(enter(own, clock, "a.invalid:2"), Wait)  # one host, one count


def test_public_services_have_the_limits_they_ask_for() -> None:
    known = Limits()
    assert known.of("query.wikidata.org") == HostLimit(5, None, 60, 30)
    assert known.of("musicbrainz.org").per_second == 1
    assert Limits({"musicbrainz.org": HostLimit(9)}).of("musicbrainz.org").n_parallel == 9


def test_processes_keep_one_count(clock: Clock, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "limits"
    mine = Limits({HOST: HostLimit(1)}, file=file)
    assert isinstance(mine.enter(HOST, until=1e12), Place)
    script = (
        "import sys; from pathlib import Path\n"
        "from kgcore.transport.limits import HostLimit, Limits\n"
        f"print(Limits({{{HOST!r}: HostLimit(1)}}, file=Path(sys.argv[1])).enter({HOST!r}, until=9))\n"
    )
    command = [sys.executable, "-c", script, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Wait(")


def test_a_broken_file_is_set_aside(clock: Clock, tmp_path: Path) -> None:
    file = tmp_path / "limits"
    file.write_bytes(b"no database at all" * 500)
    assert waits(limits(clock, HostLimit(), file), clock) == 0
    assert (tmp_path / "limits.broken").exists()
    with sqlite3.connect(file) as db:
        assert db.execute("SELECT count(*) FROM place").fetchone() == (1,)
    db.close()


def test_without_a_file_that_can_be_used_this_process_still_keeps_to_the_limit(
    clock: Clock, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    lonely = limits(clock, HostLimit(1), tmp_path / "file" / "limits")
    assert waits(lonely, clock) == 0
    assert waits(lonely, clock) > 0
