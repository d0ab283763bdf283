"""Places of new nodes: free, near, the same every time, and found quickly."""

import math
import random
import time

from kgcore.views.crossings import box_of
from kgcore.views.plane import Point, Size
from kgcore.views.spots import Spots

SIZES: tuple[Size, ...] = ((64, 20, 40), (165, 20, 76), (31, 17, 17), (170, 25, 25))


def grown(n: int, seed: int) -> list[tuple[Point, Size]]:
    """Place n nodes, each beside one of those before it."""
    rng, spots = random.Random(seed), Spots()
    placed: list[tuple[Point, Size]] = [((0.0, 0.0), SIZES[0])]
    spots.take(*placed[0])
    for _ in range(n - 1):
        anchors = [rng.choice(placed)[0] for _ in range(1 if rng.random() < 0.8 else 2)]
        size = rng.choice(SIZES)
        at = spots.find(anchors, size, rng.choice((None, rng.uniform(-math.pi, math.pi))))
        spots.take(at, size)
        for anchor in anchors:
            spots.connect(anchor, at)
        placed.append((at, size))
    return placed


def overlap(one: tuple[Point, Size], other: tuple[Point, Size]) -> bool:
    a, b = box_of(*one), box_of(*other)
    return a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]


def test_no_node_covers_another() -> None:
    for seed in range(4):
        placed = grown(330, seed)  # beyond that number places are found in a quicker way
        pairs = [(i, j) for i in range(len(placed)) for j in range(i)]
        assert not [p for p in pairs if overlap(placed[p[0]], placed[p[1]])]


def test_the_same_growth_gives_the_same_places() -> None:
    assert grown(120, 1) == grown(120, 1)


def test_more_nodes_move_none_of_those_before() -> None:
    assert grown(340, 2)[:120] == grown(120, 2)


def test_a_lonely_node_gets_its_neighbour_in_the_direction_of_growth() -> None:
    spots = Spots()
    spots.take((0.0, 0.0), SIZES[0])
    for towards in (0.0, math.pi / 2, math.pi, -math.pi / 2):
        x, y = spots.find([(0.0, 0.0)], SIZES[0], towards)
        assert math.cos(math.atan2(y, x) - towards) > 0.99


def test_a_line_goes_round_nodes_that_are_in_its_way() -> None:
    spots = Spots()
    spots.take((0.0, 0.0), SIZES[2])
    spots.take((110.0, 10.0), SIZES[2])  # to the right, where it would grow
    x, y = spots.find([(0.0, 0.0)], SIZES[2], 0.0)
    assert abs(math.atan2(y, x)) > 0.1


def test_a_line_that_may_come_later_is_left_a_way() -> None:
    spots, root, other = Spots(), (0.0, 0.0), (430.0, 40.0)
    for at in (root, other):
        spots.take(at, SIZES[0])
    away = math.atan2(root[1] - other[1], root[0] - other[0])  # straight on, behind the root

    def is_hidden(at: Point) -> bool:
        x, y = at[0] - other[0], at[1] - other[1]
        behind = abs((root[0] - other[0]) * y - (root[1] - other[1]) * x) / math.hypot(x, y)
        return behind < 20 and math.hypot(x, y) > math.dist(root, other)

    assert is_hidden(spots.find([root], SIZES[0], away))
    assert not is_hidden(spots.find([root], SIZES[0], away, later=[other]))


def fans(n_kids: int, n_leaves: int) -> list[tuple[Point, Point, Point]]:
    """Expand a hub and then its nodes; return each leaf's place with that of its parent and the hub."""
    spots, hub, size = Spots(), (0.0, 0.0), SIZES[0]

    def put(parent: Point, towards: float | None) -> Point:
        at = spots.find([parent], size, towards)
        spots.take(at, size)
        spots.connect(parent, at)
        return at

    spots.take(hub, size)
    kids = [put(hub, None) for _ in range(3 * n_kids)][:n_kids]
    angles = {kid: math.atan2(kid[1], kid[0]) for kid in kids}
    return [(put(kid, angles[kid]), kid, hub) for kid in kids for _ in range(n_leaves)]


def test_leaves_fan_outward_from_their_own_parent() -> None:
    for leaf, parent, hub in fans(12, 22):
        out = math.atan2(parent[1] - hub[1], parent[0] - hub[0])
        on = math.atan2(leaf[1] - parent[1], leaf[0] - parent[0])
        assert math.cos(on - out) > 0.5, (leaf, parent)


def test_a_node_between_several_goes_amid_them() -> None:
    spots = Spots()
    ends = [(0.0, 0.0), (800.0, 0.0)]
    for end in ends:
        spots.take(end, SIZES[0])
    x, y = spots.find(ends, SIZES[0], None)
    assert math.dist((x, y), (400.0, 0.0)) < 200


def test_a_free_box_is_told_from_a_taken_one() -> None:
    spots = Spots()
    spots.take((0.0, 0.0), SIZES[0])
    assert not spots.is_free(box_of((30.0, 10.0), SIZES[0]))
    assert spots.is_free(box_of((300.0, 10.0), SIZES[0]))


def test_a_thousand_nodes_take_seconds_at_most() -> None:
    began = time.process_time()
    grown(1000, 3)
    assert (
        time.process_time() - began < 8
    )  # it was half a minute once; a loose bound for slow machines
