"""An exported run plays from a file in a real browser: keys, stops, themes, no request, no error. Rows S1, S2."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kgcore.bootstrap.demo_runs import DEMO_RUNS, DemoRun, demo_entries
from kgcore.bootstrap.exporting import page_of
from kgcore.runs import Entry
from tests.browser.test_hostile_labels import HOSTILE, run_of_all_texts
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
READY = "Object.values(globalThis.__players ?? {}).length > 0"
PLAYER = "Object.values(globalThis.__players)[0]"


@dataclass(slots=True)
class Played:
    """An open file with all it asked for and complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @property
    def now(self) -> int:
        return int(self.page.evaluate(f"{PLAYER}.now"))

    @property
    def n(self) -> int:
        return int(self.page.evaluate(f"{PLAYER}.deck.slides.length"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def shown(self, pane: str) -> int:
        return int(self.page.evaluate(f"{PLAYER}.graphs.{pane}.nodes.length"))

    def check_quiet(self) -> None:
        assert [url for url in self.requests if not url.startswith("file:")] == []
        assert len(self.requests) == 1
        assert self.complaints == []


@pytest.fixture
def play(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Played]]:
    opened: list[Page] = []

    def open_file(entries: list[Entry] | tuple[Entry, ...], *, dark: bool = False) -> Played:
        file = tmp_path / "play.html"
        file.write_text(page_of(entries, "html", language="en"), "utf-8")
        page = browser.new_page(color_scheme="dark" if dark else "light")
        opened.append(page)
        played = Played(page)
        page.on("request", lambda request: played.requests.append(request.url))
        page.on("pageerror", lambda error: played.complaints.append(str(error)))
        page.on(
            "console",
            lambda m: played.complaints.append(m.text) if m.type in ("error", "warning") else None,
        )
        page.on("dialog", lambda dialog: played.complaints.append(dialog.message))
        page.goto(
            file.as_uri()
        )  # waiting for a function would be code made of text, which the policy refuses
        assert page.evaluate(READY)
        return played

    yield open_file
    for page in opened:
        page.close()


@pytest.mark.parametrize("demo", DEMO_RUNS, ids=lambda demo: demo.name)
def test_an_exported_run_plays_offline_from_a_file(play: Callable[..., Played], demo) -> None:
    played = play(demo_entries(demo.id))
    texts = []
    for _ in range(played.n - 1):
        texts.append(played.page.locator(".pl-text").inner_text())
        played.press("ArrowRight")
    assert played.now == played.n - 1
    assert len(set(texts)) > 5
    assert played.shown("kg") > 1
    assert played.shown("tree") > 1
    expect(played.page.locator(".pl-text")).to_contain_text("The answer")
    played.check_quiet()


def test_arrow_clicker_home_and_end_keys_move(play: Callable[..., Played]) -> None:
    played = play(made.entries())
    last = played.n - 1
    for key, now in (
        ("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("PageUp", 0), ("PageUp", 0),
        ("End", last), ("ArrowRight", last), ("Home", 0),
    ):  # fmt: skip
        played.press(key)
        assert played.now == now, key
    played.check_quiet()


def test_after_the_captions_are_listed_the_whole_graph_is_in_its_narrower_pane(
    play: Callable[..., Played],
) -> None:
    played = play(demo_entries(DEMO_RUNS[0].id))
    expect(played.page.locator(".pl-keys")).to_contain_text("T text")
    outside = f"""() => {{
      const {{ net, nodes, host }} = {PLAYER}.graphs.kg;
      return nodes.getIds().filter((id) => {{
        const {{ x, y }} = net.canvasToDOM(net.getPosition(id));
        return x < 0 || y < 0 || x > host.clientWidth || y > host.clientHeight;
      }});
    }}"""
    played.press("End")
    wide = played.page.evaluate(f"{PLAYER}.graphs.kg.host.clientWidth")
    played.press("t")
    expect(played.page.locator(".pl-script")).to_be_visible()
    for _ in range(100):
        found = played.page.evaluate(outside)
        if not found and played.page.evaluate(f"!{PLAYER}.graphs.kg.labels.isMoving()"):
            break
        played.page.wait_for_timeout(50)
    assert found == []
    assert played.page.evaluate(f"{PLAYER}.graphs.kg.host.clientWidth") < wide


def test_names_keep_no_place_from_a_moment_on_the_way(play: Callable[..., Played]) -> None:
    played = play(demo_entries(DEMO_RUNS[0].id))
    kept = f"""() => {{
      const {{ labels, net }} = {PLAYER}.graphs.kg;
      const isMoving = labels.isMoving;
      labels.sides.clear();
      labels.isMoving = () => true;
      net.redraw();
      const onTheWay = labels.sides.size;
      labels.isMoving = isMoving;
      return [onTheWay, labels.shown.size > 0];
    }}"""
    played.press("End")
    assert played.page.evaluate(kept) == [0, True]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_play_button_can_be_read_in_every_state(
    play: Callable[..., Played], dark: bool
) -> None:
    played = play(made.entries(), dark=dark)
    button = played.page.locator(".pl-play")
    looks = "b => { const look = getComputedStyle(b); return [look.color, look.backgroundColor]; }"
    at_rest = button.evaluate(looks)
    button.hover()
    assert button.evaluate(looks) == at_rest
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert button.evaluate(looks) == at_rest


def test_going_back_shows_the_same_drawing_as_on_the_way_there(play: Callable[..., Played]) -> None:
    played = play(made.entries())
    places = (
        f"JSON.stringify({PLAYER}.data('kg').nodes) + JSON.stringify({PLAYER}.data('tree').nodes)"
    )
    seen = []
    for _ in range(played.n):
        seen.append((played.page.evaluate(places), played.shown("kg"), played.shown("tree")))
        played.press("ArrowRight")
    for i in reversed(range(played.n)):
        assert (played.page.evaluate(places), played.shown("kg"), played.shown("tree")) == seen[i]
        played.press("ArrowLeft")


def test_playing_stops_where_the_search_turns_back_and_at_the_answer(
    play: Callable[..., Played],
) -> None:
    played = play(made.entries())
    played.page.evaluate(f"{PLAYER}.speed = 60")
    kinds = []
    for _ in range(3):
        played.press(" ")
        expect(played.page.locator(".pl-play")).to_have_attribute("aria-pressed", "false")
        kinds.append(played.page.evaluate(f"{PLAYER}.deck.slides[{PLAYER}.now].kind"))
    assert kinds == ["back", "back", "end"]
    played.check_quiet()


@pytest.mark.parametrize("demo", DEMO_RUNS, ids=lambda demo: demo.name)
def test_a_slide_stands_two_to_four_seconds_and_longer_where_there_is_more_to_read(
    play: Callable[..., Played], demo: DemoRun
) -> None:
    played = play(demo_entries(demo.id))
    times = played.page.evaluate(f"{PLAYER}.deck.slides.map(readingTime)")
    assert 2_000 <= min(times) < max(times) <= 4_000
    assert sum(times) < 120_000  # a talk of two minutes
    short, long = (
        played.page.evaluate("text => readingTime({ text, detail: '' })", text)
        for text in ("从Inception出发", "查看哪些事物的“导演”是奉俊昊：1 部电影，另有许多别的可能")
    )
    assert short < long


def test_what_the_matcher_was_asked_is_not_called_a_model_s(play: Callable[..., Played]) -> None:
    played = play(demo_entries(DEMO_RUNS[0].id))
    played.press("End")
    count = played.page.locator(".pl-count").inner_text()
    assert re.search(r"\d+ triples · \d+ matcher calls$", count)
    played.page.evaluate(f"{PLAYER}.deck.isOffline = false; {PLAYER}.deck.slides[0].calls = 1")
    played.page.evaluate(f"{PLAYER}.deck.slides[0].triples = 1")
    played.press("Home")
    expect(played.page.locator(".pl-count")).to_have_text(
        f"1 / {played.n} · 1 triple · 1 model request"
    )


def test_speeds_go_from_a_half_to_four(play: Callable[..., Played]) -> None:
    played = play(made.entries())
    options = played.page.locator(".pl-speed option").all_inner_texts()
    assert (options[0], options[-1]) == ("0.5×", "4×")
    played.page.locator(".pl-speed select").select_option("4")
    assert played.page.evaluate(f"{PLAYER}.speed") == 4


def test_the_timeline_has_a_coloured_tick_for_each_moment_and_seeks(
    play: Callable[..., Played],
) -> None:
    played = play(made.entries())
    line = played.page.locator(".pl-line")
    expect(line.locator(".pl-tick")).to_have_count(played.n)
    colors = line.locator(".pl-tick").evaluate_all(
        "ticks => ticks.map(tick => getComputedStyle(tick).backgroundColor)"
    )
    assert len(set(colors)) >= 5
    box = line.bounding_box()
    assert box is not None
    played.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 15)
    assert played.now == played.n - 1
    assert line.get_attribute("aria-valuenow") == str(played.n)


def test_the_theme_is_the_person_s_and_can_be_changed(play: Callable[..., Played]) -> None:
    played = play(made.entries(), dark=True)
    paint = "getComputedStyle(document.querySelector('.pl')).backgroundColor"
    assert played.page.evaluate(paint) == "rgb(14, 20, 32)"
    played.page.locator("[data-do=theme]").click()
    assert played.page.evaluate(paint) == "rgb(255, 255, 255)"


def test_the_text_beside_is_a_way_without_the_drawings(play: Callable[..., Played]) -> None:
    played = play(made.entries())
    played.press("t")
    lines = played.page.locator(".pl-script button")
    expect(lines).to_have_count(played.n)
    lines.nth(4).click()
    assert played.now == 4
    expect(lines.nth(4)).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_S1_S2_hostile_text_in_an_exported_run_is_text(
    play: Callable[..., Played], text: str
) -> None:
    played = play(made.entries(run_of_all_texts(text)))
    title = played.page.title()
    played.press("t")
    for _ in range(played.n - 1):
        played.press("ArrowRight")
    assert played.page.evaluate("window.__xss") is None
    assert played.page.title() == title != "hacked"
    assert (
        played.page.locator(".pl :is(a, img, iframe, form, link, base, meta, input)").count() == 0
    )
    played.check_quiet()


def test_the_stage_in_the_app_plays_the_same(open_page: OpenPage, tmp_path: Path) -> None:
    requests: list[str] = []
    page = open_page(
        "app.py",
        query=f"/?present=1&run={DEMO_RUNS[0].id}",
        requests=requests,
        KGCORE_HOME=str(tmp_path),
    )
    page.wait_for_function(READY, timeout=60_000)
    n = page.evaluate(f"{PLAYER}.deck.slides.length")
    page.keyboard.press("End")
    assert page.evaluate(f"{PLAYER}.now") == n - 1
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
        page.get_by_text("one page that plays it").click()
    assert re.fullmatch(r"run-[\w-]+-play\.html", download.value.suggested_filename)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Workbench").click()
    page.wait_for_url(re.compile(r"run=[0-9a-f]{32}"), timeout=60_000)
    assert [
        url for url in requests if "127.0.0.1" not in url and not url.startswith(("blob:", "data:"))
    ] == []
