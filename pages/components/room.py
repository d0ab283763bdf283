"""Who gets how much room on the Ask page: with a run, all of it stands in the window.

From top to bottom: box, head, bar, notes (a line each), the two drawings, and a row of panels. Whatever may be long
(a question, notes, legends) keeps to its line and unfolds where it is pointed at or focused; a panel scrolls by itself.
The drawings take their height from the window alone, so that nothing that comes or goes resizes them; the panels take
what is left. In a window that is small the drawings keep beside each other and the page scrolls.
"""

from pages.components.theme import Palette

__all__ = ["LEFT", "WIDE", "is_long", "room_css"]

LEFT = (0.33, 0.39, 0.28)  # answer, inspector, log
WIDE = (0.61, 0.39)  # what waits for a person or is challenged, and the inspector
LONG = 64  # a question of more letters may not fit on its line; letters of Chinese count twice


def is_long(text: str) -> bool:
    """Whether a text may need more than its line."""
    return sum(1 + (letter >= "\u2e80") for letter in text) > LONG


def room_css(palette: Palette) -> str:
    """Return the style sheet of the Ask page."""
    fold = f"background: {palette.background}; box-shadow: 0 4px 14px rgb(0 0 0 / 22%)"
    return f"""<style>
.stMainBlockContainer > [data-testid="stVerticalBlock"],
.stMainBlockContainer > * > * > [data-testid="stVerticalBlock"]:has(> * > .st-key-ts-run) {{ gap: 10px; }}
.st-key-ts-drawings {{ --kg-height: clamp(250px, calc(100vh - 470px), 340px); }}
.st-key-ts-drawings {{ gap: 0; }}
.st-key-ts-drawings [data-testid="stColumn"] > [data-testid="stVerticalBlock"] {{ gap: 8px; }}
.st-key-ts-rationales {{ height: var(--kg-height) !important; }}
.st-key-ts-moment {{ height: 24px; }}
.st-key-ts-moment .ts-badge {{ padding: 0 9px; font-size: 12.5px; }}
.st-key-ts-drawings [data-testid="stButtonGroup"] button {{ min-height: 23px; height: 23px; padding-block: 0; }}
.st-key-ts-drawings [data-testid="stButtonGroup"] p {{ font-size: 13px; }}
.st-key-ts-drawings .ts-row {{ gap: 2px 9px; }}
.st-key-ts-drawings .ts-row > h2 {{ font-size: 14.5px; white-space: nowrap; }}
.st-key-ts-drawings .ts-item:has(.ts-heat) {{ flex: none; }}
.st-key-ts-drawings .ts-item {{ font-size: 12px; gap: 4px; }}
[class*="st-key-ts-list-"] button {{ min-height: 30px; padding-block: 2px; }}
[data-testid="stPopoverBody"] {{ max-height: calc(100vh - 124px) !important; }}
.ts-fold {{ position: relative; display: block; min-width: 0; border-radius: 4px; }}
.ts-fold > bdi {{ display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }}
.ts-fold:is(:hover, :focus) {{ z-index: 20; outline: none; }}
.ts-fold:is(:hover, :focus) > bdi {{ position: absolute; top: -5px; left: -9px; width: max-content;
  max-width: min(820px, 88vw); padding: 5px 9px; white-space: normal; border-radius: 8px; {fold}; }}
.ts-fold:focus-visible > bdi {{ outline: 2px solid {palette.selected}; }}
.st-key-ts-run .ts-head > .ts-fold {{ flex: 1 1 46%; height: 1.35em; }}
.st-key-ts-notes {{ min-height: 30px; }}
.st-key-ts-notes > * {{ flex: 0 1 auto; min-width: 0; }}
.st-key-ts-notes > *:has(.st-key-ts-comparison) {{ flex: none; width: auto; }}
.st-key-ts-notes > * + *:has(.st-key-ts-comparison) {{ margin-left: auto; }}
.st-key-ts-comparison {{ flex-wrap: nowrap; max-width: 100%; }}
.st-key-ts-comparison > *:has(.ts-head) {{ flex: 0 1 auto; min-width: 0; }}
.st-key-ts-comparison .ts-panel-title {{ flex: none; }}
.st-key-ts-comparison .ts-set-up {{ min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }}
.st-key-ts-notes button {{ min-height: 28px; padding: 0 10px; }}
.st-key-ts-notes button p {{ font-size: 13.5px; }}
.st-key-ts-notes .ts-head {{ flex-wrap: nowrap; font-size: 14px; }}
.st-key-ts-notes .ts-chip {{ font-size: 13px; padding: 1px 10px; flex: none; }}
.st-key-ts-notes :is(del, ins) {{ font-weight: 600; text-decoration-thickness: 1px; white-space: nowrap; }}
.st-key-ts-notes del {{ color: {palette.rejected}; }}
.st-key-ts-notes ins {{ color: {palette.answer}; text-decoration: none; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-ts-answer-acts) {{ position: sticky; bottom: -16px; z-index: 3; }}
.st-key-ts-answer-acts {{ background: {palette.background}; padding: 8px 0 12px; margin-bottom: -4px; }}
.st-key-ts-answer-acts button {{ min-height: 32px; padding: 2px 10px; }}
.st-key-ts-answer-acts button p {{ font-size: 14px; }}
.st-key-ts-panel-question {{ border: 1px solid {palette.dimmed}; border-radius: 10px; padding: 14px 16px; }}
.st-key-ts-panel-question:has(.st-key-ts-gate, .st-key-ts-link-choice) {{ border-color: {palette.corrected};
  box-shadow: inset 3px 0 {palette.corrected}; }}
.st-key-ts-panel-question :is(.st-key-ts-gate, .st-key-ts-link-choice, .st-key-ts-challenge,
  .st-key-ts-challenge-form) {{ border: 0; padding: 0; box-shadow: none; }}
.st-key-ts-panel-question button:not([class*="ts-tight"] *) {{ min-height: 32px; }}
:is(.st-key-ts-gate, .st-key-ts-link-choice, .st-key-ts-challenge) > :first-child
  > [data-testid="stHorizontalBlock"] {{ flex-wrap: nowrap; }}
:is(.st-key-ts-gate-rows, .st-key-ts-challenge) [data-testid="stColumn"]:last-child {{ flex: none; width: auto; }}
:is(.st-key-ts-gate-rows, .st-key-ts-challenge) [data-testid="stColumn"]:first-child {{ flex: 1 1 0; }}
@media (max-width: 900px) {{
  .st-key-ts-drawings [data-testid="stHorizontalBlock"] {{ flex-wrap: wrap; }}
  .st-key-ts-drawings [data-testid="stColumn"] {{ flex: 1 1 100%; min-width: 100%; }} }}
@media (max-width: 1100px) {{
  .st-key-ts-run-bar > div:has(.st-key-ts-timeline) {{ flex-basis: 260px; min-width: 240px; }}
  .st-key-ts-drawings .ts-row {{ column-gap: 6px; }}
  .st-key-ts-drawings .ts-heat i {{ width: 9px; }} }}
@media (min-width: 1101px) {{
  .st-key-ts-notes {{ flex-wrap: nowrap; }}
  .st-key-ts-run .ts-head {{ flex-wrap: nowrap; }}
  .st-key-ts-run .ts-head > * {{ flex: none; }}
  .st-key-ts-run .ts-head > .ts-question {{ max-width: 46%; }}
  .st-key-ts-run .ts-head > .ts-fold {{ flex: 0 1 46%; min-width: 300px; }}
  .st-key-ts-run .ts-head > .ts-facts:not(.ts-meter) {{ flex: 0 1 auto; min-width: 0; overflow: hidden;
    white-space: nowrap; text-overflow: ellipsis; }}
  .st-key-ts-drawings .ts-row {{ flex-wrap: nowrap; column-gap: 7px; overflow: hidden; }}
  .st-key-ts-drawings .ts-item {{ min-width: 0; flex: 0 1 auto; gap: 3px; }}
  .st-key-ts-drawings .ts-item:has(> .ts-dot) {{ min-width: 62px; flex-shrink: 60; }}
  .st-key-ts-drawings .ts-item > bdi {{ overflow: hidden; text-overflow: ellipsis; }} }}
@media (min-width: 1101px) and (min-height: 780px) {{
  .st-key-ts-drawings {{ --kg-height: clamp(280px, calc(100vh - 560px), 56vh); }}
  .stMainBlockContainer:has(.st-key-ts-panels) {{ height: 100vh; }}
  [data-testid="stVerticalBlock"]:has(.st-key-ts-panels) {{ height: 100%; }}
  [data-testid="stLayoutWrapper"]:has(.st-key-ts-panels) {{ flex: 1 1 0; min-height: 196px; }}
  .st-key-ts-panels, .st-key-ts-panels > *, .st-key-ts-panels > * > [data-testid="stHorizontalBlock"],
  .st-key-ts-panels [data-testid="stColumn"], [class*="st-key-ts-panel-"] {{ height: 100% !important; }}
  .st-key-ts-panels [data-testid="stColumn"] > *,
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-ts-panel-"]) {{ height: 100%; min-height: 0; flex: 1 1 0; }}
  .st-key-ts-panel-question > *:only-child, .st-key-ts-gate, .st-key-ts-link-choice {{ height: 100%; }}
  [data-testid="stLayoutWrapper"]:has(> .st-key-ts-gate-rows) {{ flex: 1 1 0; min-height: 0; overflow: auto; }}
}}
</style>"""
