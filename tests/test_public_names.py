"""The names that users of the library may rely on."""

from __future__ import annotations

import subprocess
import sys

import pytest

import kgcore

NAMES = """__version__ Answer AnswerPart Breakpoint Budget Correction Edit Entity Entry Journal KGCoreError
KnowledgeGraph LanguageModel Launch Literal Ports Prompt PromptSet Provenance REASONERS Ranker Reasoner Relation
Run RunView SqlRunStore Subgraph Triple TypedRequest Usage reasoner replay""".split()


def test_the_public_names_are_these() -> None:
    assert sorted(kgcore.__all__) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(kgcore, name) is not None


def test_importing_the_package_brings_in_no_vendor_library() -> None:
    code = (
        "import sys, kgcore; heavy = {'sqlalchemy', 'pyoxigraph', 'litellm', 'pyvis', 'streamlit'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
