"""A report in HTML opens from a file and prints: nothing is asked for, nothing refused, all of it on paper."""

import io
import unicodedata
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from kgcore.bootstrap.demo_runs import demo_entries
from kgcore.bootstrap.exporting import page_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    "language, answer, last", [("en", "Palme d'Or", "Seconds"), ("zh", "金棕榈奖", "秒")]
)
def test_a_report_opens_from_a_file_and_prints_whole(
    browser: Browser, tmp_path: Path, language: str, answer: str, last: str
) -> None:
    pypdf = pytest.importorskip("pypdf")
    file = tmp_path / "report.html"
    entries = demo_entries("demo:tree-of-traversals", language)
    file.write_text(page_of(entries, "report-html", language=language), "utf-8")
    page = browser.new_page()
    asked, complaints = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(file.as_uri())
    drawn = page.locator("svg").bounding_box()
    printed = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4")))
    page.close()
    assert (asked, complaints) == ([file.as_uri()], [])
    assert drawn is not None and drawn["width"] > 300
    assert 2 <= len(printed.pages) <= 3
    sheets = [sheet.extract_text() for sheet in printed.pages]
    text = unicodedata.normalize("NFKC", "".join(sheets))  # a font may hold a letter as a radical
    assert entries[0].body.question.split()[0][:5] in text
    assert answer in text
    assert last in text
