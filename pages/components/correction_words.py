"""The words for a correction's status and for what was done to it."""

from kgcore.i18n import mark

__all__ = ["DONE", "STATUS"]

STATUS = {
    "proposed": mark("proposed"),
    "approved": mark("approved"),
    "rejected": mark("rejected"),
    "withdrawn": mark("withdrawn"),
}
DONE = {
    "propose": mark("proposed"),
    "import": mark("imported"),
    "approve": mark("approved"),
    "reject": mark("rejected"),
    "withdraw": mark("withdrawn"),
    "undo": mark("made a proposal again"),
    "revise": mark("changed"),
}
