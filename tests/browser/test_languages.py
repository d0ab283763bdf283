"""Both languages in a real browser: the switch, links, what switching must not lose, and no word left behind."""

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.bootstrap.demo_runs import DEMO_RUNS
from kgcore.corrections.proposing import Wish, understand

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
KG = "demo-wikidata"
QUESTION = "哪位演员同时出演了《盗梦空间》和《星际穿越》？"
PAGES = {
    "": "提问",
    "runs": "运行记录",
    "corrections": "更正",
    "graphs": "知识图谱",
    "sources": "知识来源",
    "settings": "设置",
}
# Names that are the same in every language: of the program, methods, formats, services, graphs, and words of code.
NAMES = set(
    """
    ANTHROPIC Agent Anthropic AuraDB CSV Chain Chen CoK DBpedia EN English Graph GraphML JSON KEY Ki Llama
    BM FROM MB Markdown MediaWiki MusicBrainz NAME Neo FILE OpenAI Ollama PDF Parquet QuickStatements RDF SELECT SPARQL SQL SQLite Studio TSV Think Token Traversal
    Traversals Turtle URL US UTC Update User WHERE Wikidata demo en generic import kg kgcore link litellm local musicbrainz
    name node of offline on openai org python settings vLLM wikidata yaml zh wd mb ms
    api com example https http org php sparql Tree
    """.split()
)
# What Streamlit itself says inside of its widgets; it offers no way to say it in another language.
STREAMLIT = (
    "50MB per file",
    "• CSV, TSV",
    "• TXT, MD",
    "Browse files",
    "Choose an option",
    "Choose options",
    "Drag and drop",
    "No results",
    "Skip to main content",
    "Upload",
)
VISIBLE = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.querySelector('.stApp'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const at = walker.currentNode.parentElement;
        if (at.closest('[data-testid*=Icon], [translate=no], [role=img], style, script, bdi, canvas, pre')) continue;
        if (!at.checkVisibility({checkOpacity: true})) continue;
        const text = walker.currentNode.textContent.trim();
        if (text) found.push(text);
    }
    for (const field of document.querySelectorAll('.stApp [placeholder]')) found.push(field.placeholder);
    for (const at of document.querySelectorAll('.ts-bar [title], .stApp bdi[title]')) found.push(at.title);
    return found;
}"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("languages-home")


@pytest.fixture(scope="module")
def studio(home: Path) -> Studio:
    made = build(home)
    made.ensure_demo()
    return made


@pytest.fixture(scope="module")
def run_id(studio: Studio) -> str:
    run = studio.ask(Task(QUESTION, model="offline"))
    run.drive()
    return run.id


@pytest.fixture
def open_at(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(path: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=f"/{path}", KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        page.locator(".st-key-ts-bar a, .st-key-ts-stage button").first.wait_for()
        return page

    return open_


def switch(page: Page, to: str) -> None:
    page.locator(".st-key-ts-language").get_by_text(to, exact=True).click()


def settle(page: Page) -> None:
    """Wait until the page's script has ended."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(300)


@pytest.mark.parametrize("path", PAGES)
def test_each_page_switches(open_at: OpenPage, path: str) -> None:
    page = open_at(path)
    bar = page.locator(".st-key-ts-bar")
    switch(page, "中文")
    expect(bar.get_by_role("link", name=PAGES[path], exact=True)).to_be_visible()
    expect(page).to_have_title(f"{PAGES[path]} · Traversal Studio")
    assert "lang=zh" in page.url
    page.wait_for_function("document.documentElement.lang === 'zh-Hans'")
    switch(page, "EN")
    expect(bar.get_by_role("link", name="Settings", exact=True)).to_be_visible()


def test_a_language_stays_across_pages_and_a_reload(open_at: OpenPage) -> None:
    page = open_at("?lang=zh")
    page.locator(".st-key-ts-bar").get_by_role("link", name="设置", exact=True).click()
    expect(page.get_by_role("heading", name="密钥", exact=True)).to_be_visible()
    page.wait_for_url("**lang=zh*")
    page.reload()
    expect(page.get_by_role("heading", name="密钥", exact=True)).to_be_visible()


def test_a_browser_that_prefers_chinese_sees_chinese(
    browser: Any, servers: Any, home: Path
) -> None:
    context = browser.new_context(locale="zh-CN")
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    script = Path(__file__).parents[2] / "app.py"
    page.goto(servers.address(script, KGCORE_HOME=str(home)) + "/settings")
    expect(page.get_by_role("heading", name="密钥", exact=True)).to_be_visible(timeout=WAIT_MS)
    context.close()


def test_switching_keeps_what_was_typed_and_chosen(open_at: OpenPage) -> None:
    page = open_at("settings")
    contact = page.locator(".st-key-set-contact input")
    contact.fill("me@example.org")
    page.locator(".st-key-set-model input").fill("openai/some-model")
    switch(page, "中文")
    expect(page.get_by_role("heading", name="密钥", exact=True)).to_be_visible()
    expect(contact).to_have_value("me@example.org")
    expect(page.locator(".st-key-set-model input")).to_have_value("openai/some-model")


def test_switching_keeps_an_unsent_question(open_at: OpenPage) -> None:
    page = open_at()
    box = page.locator(".st-key-ask-question input")
    box.fill("Who directed Casab")
    switch(page, "中文")
    page.wait_for_url("**lang=zh*")
    settle(page)
    expect(box).to_have_value("Who directed Casab")


def test_a_chinese_question_is_answered_with_chinese_labels(open_at: OpenPage) -> None:
    page = open_at("?lang=zh")
    box = page.locator(".st-key-ask-question input")
    box.fill(QUESTION)
    box.press("Enter")
    answer = page.locator(".ts-answer.is-open")
    expect(answer).to_contain_text("迈克尔·凯恩", timeout=WAIT_MS)
    labels = page.wait_for_function(
        """() => {
            const name = Object.keys(globalThis.__kg ?? {}).find((key) => key.startsWith('kg-'));
            const nodes = name ? globalThis.__kg[name].data.nodes : [];
            return nodes.length > 5 && nodes.map((node) => node.label).join(' ');
        }"""
    ).json_value()
    assert "盗梦空间" in labels
    assert not re.search("[A-Za-z]{3,}", labels), labels
    switch(page, "EN")
    page.wait_for_url("**lang=en*")
    assert "run=" in page.url
    expect(answer).to_contain_text("迈克尔·凯恩")


def test_an_error_is_told_in_chinese(open_at: OpenPage) -> None:
    page = open_at("?lang=zh&run=0123456789abcdef")
    expect(page.locator("[data-testid=stAlert]")).to_contain_text("没有运行 0123456789abcdef")


def left_over(page: Page, known: Collection[str] = ()) -> list[str]:
    """Return the texts on a page that hold English words; what is `known` is a name of something."""
    settle(page)
    found = []
    for text in page.evaluate(VISIBLE):
        words = [] if text in known else re.findall("[A-Za-z]{2,}", text)
        if not text.startswith(STREAMLIT) and not set(words) <= NAMES:
            found.append(text)
    return sorted(set(found))


@pytest.mark.parametrize(
    "path",
    [
        "settings",
        "runs",
        "corrections",
        "graphs?graph=demo-wikidata",
        "graphs?graph=demo-wikidata&entity=wd:Q25188",
        "graphs?add=1",
        "sources",
        "sources?source=demo-tables",
        "sources?source=demo-medicine",
        "sources?add=1",
        f"?present=1&run={DEMO_RUNS[0].id}",
        "",
    ],
)
def test_no_english_is_left_on_a_page(
    open_at: OpenPage, studio: Studio, run_id: str, path: str
) -> None:
    propose(studio)
    names = {info.name for info in studio.source_infos()}
    page = open_at(f"{path}{'&' if '?' in path else '?'}lang=zh")
    page.wait_for_timeout(1000)
    assert not left_over(page, names)
    for details in page.get_by_role("button", name="详情").all()[:1]:
        details.click()
        page.wait_for_timeout(500)
        assert not left_over(page, names)
    for tab in page.get_by_role("tab").all()[1:]:
        tab.click()
        page.wait_for_timeout(300)
        assert not left_over(page, names)
    for menu in page.locator("[data-testid=stPopoverButton]").all():
        menu.click()
        page.wait_for_timeout(500)
        assert not left_over(page, names)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("path", [*PAGES, "sources?source=demo-tables", "sources?add=1"])
def test_no_chinese_is_left_on_a_page(open_at: OpenPage, path: str) -> None:
    """What stays Chinese are the switch itself and what is written in Chinese: questions, and the names of things."""
    page = open_at(f"{path}{'&' if '?' in path else '?'}lang=zh")
    switch(page, "EN")
    page.wait_for_url("**lang=en*")
    settle(page)
    found = [text for text in page.evaluate(VISIBLE) if re.search("[\u4e00-\u9fff]", text)]
    asked = [text for text in found if text.endswith("？")]  # a question stays as it was asked
    assert set(found) <= {"中文", *asked}


def test_no_english_is_left_between_two_runs(
    open_at: OpenPage, studio: Studio, run_id: str
) -> None:
    other = studio.rerun(run_id, method="think-on-graph")
    other.drive()
    page = open_at(f"runs?compare={run_id},{other.id}&lang=zh")
    page.locator(".st-key-compare-swap").wait_for()
    assert not left_over(page)


def test_the_stage_switches_its_captions(open_at: OpenPage) -> None:
    page = open_at(f"?present=1&run={DEMO_RUNS[0].id}&lang=en")
    caption = page.locator(".pl-text")
    expect(caption).to_contain_text("The question")
    page.get_by_text("中文", exact=True).click()
    expect(caption).to_contain_text("问题")


def test_no_english_is_left_around_a_run(open_at: OpenPage, run_id: str) -> None:
    page = open_at(f"?lang=zh&run={run_id}")
    page.locator(".ts-answer.is-open").wait_for()
    assert not left_over(page)
    expect(page.locator(".ts-panel-title", has_text="#6")).to_contain_text("作答")


def propose(studio: Studio) -> None:
    """Leave a correction to be decided on."""
    if not studio.corrections.list():
        wish = Wish(
            kg=KG,
            action="retract",
            subject="Inception",
            relation="cast member",
            object="Michael Caine",
        )
        studio.corrections.propose(understand(wish, studio.corrected((KG,))))


def test_one_step_back_in_the_browser_is_one_page_back(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("app.py", query="?lang=en", KGCORE_HOME=str(tmp_path))
    page.get_by_role("button", name="Run", exact=True).wait_for()
    before = page.evaluate("history.length")
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_text("No runs here")).to_be_visible(timeout=WAIT_MS)
    assert "lang=en" in page.url
    assert page.evaluate("history.length") == before + 1
    page.go_back()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=WAIT_MS)
