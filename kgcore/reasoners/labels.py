"""What people call the methods: the three systems, and what they are compared with, in the order they are offered."""

from __future__ import annotations

from collections.abc import Mapping

from kgcore.i18n import mark

SYSTEMS: Mapping[str, str] = {
    "tree-of-traversals": "Tree-of-Traversals",
    "chain-of-traversals": mark("Chain-of-Traversals (k = 1)"),
    "think-on-graph": "Think-on-Graph",
    "think-on-graph-r": mark("Think-on-Graph-R (relation chains)"),
    "chain-of-knowledge": "Chain-of-Knowledge",
}
BASELINES: Mapping[str, str] = {
    "io": mark("IO (the answer at once)"),
    "chain-of-thought": mark("Chain-of-Thought"),
    "chain-of-thought-sc": mark("Chain-of-Thought, self-consistent (CoT-SC)"),
    "react": "ReAct",
    "react-cot": mark("ReAct, else Chain-of-Thought (ReAct→CoT)"),
    "flare": "FLARe",
    "verify-and-edit": "Verify-and-Edit",
}
LABELS: Mapping[str, str] = {**SYSTEMS, **BASELINES}
USUAL_METHOD = "tree-of-traversals"
