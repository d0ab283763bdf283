"""What an entry of the journal is about, for the drawings beside the log."""

from kgcore.steps import AnswerProposed, Backtracked, NodeAdded, QuestionLinked
from kgcore.views.details import Things, things_at
from tests.unit.views import hand_made as made


def seq_of(kind: type) -> int:
    return next(
        i
        for i, item in enumerate(made.story())
        if isinstance(item, kind) and getattr(item, "triples", True)
    )


def test_an_entry_is_about_a_node_entities_and_triples_of_the_drawings() -> None:
    view = made.view()
    linked = things_at(view, seq_of(QuestionLinked))
    assert linked.entities == (made.INCEPTION.id, made.INTERSTELLAR.id)
    added = things_at(view, seq_of(NodeAdded))
    assert (added.node, added.triples) == (3, made.OTHERS)
    assert things_at(view, seq_of(Backtracked)).node == 2
    found = things_at(view, seq_of(AnswerProposed))
    assert (found.node, found.entities, found.triples) == (6, (made.CAINE.id,), made.PROOF)


def test_an_entry_is_about_nothing_that_is_not_known_yet() -> None:
    view = made.view(2)  # the question is linked, and nothing is in the graph yet
    assert things_at(view, 1) == Things()
