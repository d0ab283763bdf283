"""Every state of the Ask page has its room: at 1440x900 nothing scrolls, at 1024x768 nothing is cut off sideways.

The runs are made for real (`ask_states.py`); those under way are driven by the server that shows them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import ask_states
from tests.browser.ask_states import SHORT, TOWN, States
from tests.browser.test_correcting import idle
from tests.servers.openai_server import Hang, OpenAIServer

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
LARGE, SMALL = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}
ENDED = (
    "short",
    "list",
    "long-question",
    "past",
    "no-answer",
    "unreachable",
    "bad-key",
    "stopped",
    "rationales",
    "beams",
    "fork-same",
    "fork-other",
    "again",
    "recheck",
)
# A place is in the window with all of itself, or it is told by how much it is not.
OUTSIDE = """places => places.flatMap(place => [...document.querySelectorAll(place)]
  .filter(found => found.getClientRects().length)
  .map(found => [place, found.getBoundingClientRect()])
  .filter(([, at]) => at.width === 0 || at.top < 0 || at.left < 0
    || at.bottom > innerHeight + 0.5 || at.right > innerWidth + 0.5)
  .map(([name, at]) => `${name} from ${at.left},${at.top} to ${at.right},${at.bottom}`))"""
# What a person reads or clicks and that is cut off by the window, or by a box that cannot be scrolled.
CUT = """() => [...document.querySelectorAll('button, .ts-chip, input, .ts-panel-title, [data-testid=stBidiComponentIsolated]')]
  .filter(one => one.getClientRects().length && !one.closest('[class*=st-key-kg-vis], [class*=st-key-browser]'))
  .map(one => [one, one.getBoundingClientRect()])
  .filter(([one, at]) => at.width > 0 && (at.right > innerWidth + 0.5 || at.left < -0.5))
  .map(([one, at]) => `${one.innerText || one.className} ${at.left}..${at.right}`)"""
DRAWINGS = ["[class*='st-key-kg-']:not(.st-key-kg-vis)", "[class*='st-key-tree-']"]
BUTTONS = [
    ".st-key-FormSubmitter-ask-form-Run button",
    ".st-key-ts-run-bar button",
    "[class*='st-key-ts-panel-']",
    "[data-testid^='stBaseButton-primary']",
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("room-home")


@pytest.fixture(scope="module")
def states(home: Path) -> States:
    return ask_states.make(home)


@pytest.fixture
def show(open_page: OpenPage, home: Path, states: States) -> OpenPage:
    def open_(name: str = "", *, lang: str = "en", **options: Any) -> Page:
        query = states.queries[name] + f"&lang={lang}" if name else f"?lang={lang}"
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **LARGE, **options)
        page.set_default_timeout(WAIT_MS)
        page.locator("[data-testid=stFormSubmitButton]").first.wait_for()
        if name:
            page.locator("[class*='st-key-kg-']:not(.st-key-kg-vis)").wait_for()
        idle(page)
        return page

    return open_


def has_room(page: Page, *, drawings: int = 2) -> None:
    """Check the page as it stands in both sizes."""
    page.set_viewport_size(LARGE)
    page.wait_for_timeout(300)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => [main.scrollWidth, main.scrollHeight]") == [1440, 900]
    drawn = ", ".join(DRAWINGS if drawings == 2 else [*DRAWINGS, ".st-key-ts-rationales"])
    assert page.locator(drawn).count() == 2
    assert page.evaluate(OUTSIDE, [drawn, *BUTTONS]) == []
    page.set_viewport_size(SMALL)
    page.wait_for_timeout(300)
    assert main.evaluate("main => main.scrollWidth") == 1024
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("name", ENDED)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_run_that_is_over_stands_whole_in_the_window(
    show: OpenPage, name: str, lang: str
) -> None:
    has_room(show(name, lang=lang), drawings=1 if name == "rationales" else 2)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_start_and_the_options_stand_whole_in_the_window(show: OpenPage, lang: str) -> None:
    page = show(lang=lang, dark=lang == "zh")
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => [main.scrollWidth, main.scrollHeight]") == [1440, 900]
    expect(page.locator(".ts-estimate").first).to_be_visible()
    page.locator("[data-testid=stPopover] button").first.click()
    body = "[data-testid=stPopoverBody]"
    page.locator(body).wait_for()
    idle(page)
    assert page.evaluate(OUTSIDE, [body]) == []
    page.set_viewport_size(SMALL)
    page.wait_for_timeout(500)
    assert page.evaluate(CUT) == []


def test_a_long_question_unfolds_where_it_is_focused(show: OpenPage) -> None:
    page = show("long-question")
    text = page.locator(".ts-question > bdi")
    assert text.evaluate("one => one.scrollWidth > one.clientWidth")
    page.locator(".ts-question").focus()
    assert text.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert page.evaluate(OUTSIDE, [".ts-question > bdi"]) == []


def test_a_challenge_stands_in_the_place_of_answer_and_log(show: OpenPage) -> None:
    page = show("recheck")
    page.get_by_role("button", name="This is wrong").click()
    page.locator(".st-key-ts-challenge-form").wait_for()
    idle(page)
    has_room(page)
    page.get_by_role("button", name="Find the suspect").click()
    page.locator(".ts-suspect").first.wait_for()
    idle(page)
    has_room(page)
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".ts-answer.is-open")).to_be_visible()


def test_a_comparison_opens_over_the_page(show: OpenPage) -> None:
    page = show("again")
    expect(page.locator(".st-key-ts-comparison ins")).to_have_text("Harbour Park")
    page.get_by_role("button", name="Before and now").click()
    expect(page.locator(".ts-sides")).to_contain_text("Old Mill Field")
    assert page.evaluate(OUTSIDE, ["[data-testid=stPopoverBody]"]) == []


# runs under way


def ask(page: Page, question: str) -> None:
    box = page.get_by_placeholder("Ask a question")
    box.fill(question)
    box.press("Enter")
    page.wait_for_url("**run=*")


def options(page: Page) -> None:
    page.get_by_role("button", name="Options").click()
    idle(page)


def test_a_paused_run_and_its_steps_have_room(show: OpenPage) -> None:
    page = show()
    options(page)
    page.get_by_text("Pause before the first step").click()
    page.keyboard.press("Escape")
    ask(page, SHORT)
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    idle(page)
    has_room(page)
    for _ in range(3):
        page.locator(".st-key-run-step").get_by_role("button").first.click()
        page.wait_for_timeout(700)
    has_room(page)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


def test_triples_that_wait_for_a_person_have_room(show: OpenPage) -> None:
    page = show()
    options(page)
    page.get_by_role("combobox", name="Approve fetched triples").click()
    page.get_by_role("option", name="All", exact=True).click()
    idle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    ask(page, SHORT)
    page.locator(".st-key-ts-gate").wait_for()
    idle(page)
    has_room(page)
    page.get_by_role("radio", name="Reject").first.click()
    expect(page.get_by_text("What is rejected or edited counts")).to_be_visible()
    has_room(page)


def test_a_name_that_waits_for_a_choice_has_room(show: OpenPage) -> None:
    page = show()
    options(page)
    graphs = page.get_by_role("combobox", name="Graphs")
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    graphs.fill("towns")
    graphs.press("Enter")
    idle(page)
    page.get_by_text("Ask me when a name may mean several things").click()
    idle(page)
    page.keyboard.press("Escape")
    ask(page, TOWN)
    page.locator(".st-key-ts-link-choice").wait_for()
    idle(page)
    has_room(page)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Path]:
    """A data folder whose model never answers."""
    with OpenAIServer([Hang(600)]) as model:
        ask_states.use_model(tmp_path, model.address)
        yield tmp_path


def test_a_run_whose_model_is_asked_has_room(open_page: OpenPage, slow: Path) -> None:
    page = open_page("app.py", KGCORE_HOME=str(slow), OPENAI_API_KEY=ask_states.KEY, **LARGE)
    page.set_default_timeout(WAIT_MS)
    page.get_by_role("button", name="Run", exact=True).wait_for()
    ask(page, SHORT)
    expect(page.get_by_text("Asking the model").first).to_be_visible()
    has_room(page)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


# words of Streamlit itself


def test_words_of_streamlit_are_chinese_where_a_style_sheet_reaches_them(show: OpenPage) -> None:
    page = show(lang="zh")
    page.get_by_role("button", name="选项").click()
    idle(page)
    graphs = page.get_by_role("combobox", name="图谱")
    graphs.fill("no such graph")
    empty = page.locator("[role=listbox][data-empty] [role=option] span")
    expect(empty).to_be_visible()
    said = "one => getComputedStyle(one, '::after').content + getComputedStyle(one).fontSize"
    assert empty.evaluate(said) == '"没有结果"0px'
    graphs.fill("")
    for _ in range(2):
        graphs.press("Backspace")
        idle(page)
    expect(page.get_by_role("combobox", name="图谱")).to_have_attribute(
        "placeholder", "未选择：将查询演示图谱"
    )
