"""Names that uploaded files are kept under."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.kg.local.graph_names import check_name
from pages.components.uploaded import file_name


@pytest.mark.parametrize(
    "sent, kept",
    [
        ("films.csv", "films.csv"),
        ("dump.nt.gz", "dump.nt.gz"),
        ("C:\\data\\films.csv", "films.csv"),
        ("../../etc/films.csv", "films.csv"),
        ("fil\u202ems\n.csv", "films.csv"),
        ("....csv", "file.csv"),
        ("", "file"),
        ("电影.csv", "电影.csv"),
        ("v1.2 films.csv", "v1.2 films.csv"),
    ],
)
def test_a_name_has_no_folder_no_unseen_character_and_a_stem(sent: str, kept: str) -> None:
    assert file_name(sent) == kept


@pytest.mark.parametrize("stem", ["电" * 200, "a" * 400, "👩‍🔬" * 100])
def test_a_long_name_can_be_written_and_keeps_its_ending(stem: str, tmp_path: Path) -> None:
    path = tmp_path / file_name(f"{stem}.nt.gz")
    path.write_text("")
    assert path.name.endswith(".nt.gz")
    check_name(path.name.split(".")[0][:90])
