"""What rows of our queries say they are about: agreed between the queries and those who read their answers."""

UNKNOWN = "urn:kg:unknown"  # in place of a value that nobody knows
NOTHING = "urn:kg:nothing"  # in place of a value that there is none of
NO_END = "urn:kg:no-end"  # no example at hand
HERE = "urn:kg:here"  # a thing with facts of its own
THERE = "urn:kg:there"  # a thing that others have facts about

COUNT_CAP = 1000  # edges of one thing along one relation that are counted

# ?e holds one of these plus the number of the thing that was asked for.
WINDOW = 0  # ?x is an end of one of its edges
COUNT = 10_000  # ?n is how many of these there are
STATEMENT = 20_000  # ?v, ?k, ?y are what a statement says beside its value ?x
ASKED = 30_000  # ?x is the thing itself
RELATION = 40_000  # ?x is the relation, or a property that stands for it (no number added)
