"""The methods that the three systems are compared with, on the same engine: what a journal of each holds, in order.

io                      NodeAdded 0 start, Ask answer_directly, NodeAdded answer, AnswerProposed
chain-of-thought        NodeAdded 0 start, Ask sample_rationales, NodeAdded think for each statement, then the answer
chain-of-thought-sc     NodeAdded 0 start, Ask sample_rationales (n = samples), RationalesSampled, NodeAdded answer with
                        its votes, AnswerProposed
react                   Link the question, NodeAdded 0 start; for each step NodeExpanded, Ask take_step, NodeAdded think, and one of
                          search: Link, [Ask choose_entity], NodeAdded search, Relations, [Rank]
                          follow: Edges, NodeAdded select_relation, [Relations, [Rank]] of the few things it leads to, or
                                  ActionRejected
                          answer: NodeAdded answer, NodeScored, AnswerProposed
react-cot               the same; without an answer it goes on as chain-of-thought-sc
flare                   for each sentence Ask next_sentence (n = samples), NodeAdded draft, RationaleDrafted, NodeScored
                        (how sure it is); where it is doubtful, for each source QueryWritten, Lookup, KnowledgeFound,
                        then Ask next_sentence, RationaleCorrected, NodeAdded correct; at the end Ask
                        answer_from_rationales
verify-and-edit         Ask sample_rationales (n = samples), RationalesSampled, NodeAdded answer; where they differ, for
                        each rationale NodeAdded draft, Ask verifying_question, the sources as above, Ask
                        edit_rationale, RationaleCorrected, NodeAdded correct; at the end Ask answer_from_rationales

What rests on no triple and no passage is marked as model memory, here as everywhere.
"""

from __future__ import annotations

from kgcore.reasoners.baselines.config import (
    DirectConfig,
    FlareConfig,
    ReActConfig,
    ReActThoughtsConfig,
    ThoughtsConfig,
    VerifyAndEditConfig,
    VotesConfig,
)
from kgcore.reasoners.baselines.flare import flare
from kgcore.reasoners.baselines.memory import answer_directly, chain_of_thought, self_consistency
from kgcore.reasoners.baselines.methods import (
    ChainOfThought,
    DirectAnswer,
    Flare,
    ReAct,
    ReActOrThoughts,
    SelfConsistency,
    VerifyAndEdit,
)
from kgcore.reasoners.baselines.react import react, react_or_thoughts
from kgcore.reasoners.baselines.verify_and_edit import verify_and_edit

__all__ = [
    "ChainOfThought",
    "DirectAnswer",
    "DirectConfig",
    "Flare",
    "FlareConfig",
    "ReAct",
    "ReActConfig",
    "ReActOrThoughts",
    "ReActThoughtsConfig",
    "SelfConsistency",
    "ThoughtsConfig",
    "VerifyAndEdit",
    "VerifyAndEditConfig",
    "VotesConfig",
    "answer_directly",
    "chain_of_thought",
    "flare",
    "react",
    "react_or_thoughts",
    "self_consistency",
    "verify_and_edit",
]
