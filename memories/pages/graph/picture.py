"""Lay out the rings of an entity's neighbours for an SVG: positions, angles, texts cut to their room.

The rings are a radial tree: every neighbour of the first ring has a sector as wide as what hangs on it needs,
so that no line of the tree crosses another. The same relations give the same picture.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memories.pages.graph.graph_query import GraphQuery
from memories.pages.graph.relation_list import Statement, get_name
from memories.pages.graph.ring_choice import LeftOut, Neighbour, Rings

if TYPE_CHECKING:
    import networkx as nx

#: Radius of the marks: of the entity in the middle, and of its neighbours.
MIDDLE: Final = 40
MARK: Final = 15
#: Radius of each ring: one alone, or two.
_ALONE: Final = (205.0,)
_TWO: Final = (185.0, 360.0)
#: The most marks in one ring whose names are written level; with more, names follow the spokes.
_MOST_LEVEL: Final = 12
#: Room for texts in columns of a Latin letter; a Chinese character takes two.
_NAME_ROOM: Final = 20
_INNER_NAME_ROOM: Final = 16
_PREDICATE_ROOM: Final = 17
_MIDDLE_ROOM: Final = 9
#: Pixels of a column of text, and between a mark and its name.
_COLUMN: Final = 7.0
_GAP: Final = 7
_LINE: Final = 18
_EDGE: Final = 14


@dataclass(frozen=True, slots=True)
class Spot:
    """One mark with its name.

    Attributes:
        turn: Degrees by which the name is turned around the mark's centre.
        text_x: Where the name begins or ends, from the centre.
        anchor: The SVG attribute `text-anchor` of the name.
        predicate: Words before the name, for the second ring, whose lines have no words.
        title: The whole text, for pointers and screen readers.
        kind: The kind of the newest memory, "" for a mark that represents several entities.
    """

    x: float
    y: float
    turn: float
    text_x: float
    text_y: float
    anchor: str
    name: str
    predicate: str
    title: str
    url: str
    kind: str
    is_more: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two marks; `path` is the SVG attribute `d`.

    Attributes:
        words: The predicate, written along the line at (x, y) turned by `turn` degrees.
        is_incoming: Whether the arrow points to the inner mark.
        is_mention: Whether the memories only mention both ends.
    """

    path: str
    words: str = ""
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    title: str = ""
    is_incoming: bool = False
    is_mention: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawing of a graph, with the entity at (0, 0).

    Attributes:
        view: The SVG attribute `viewBox`.
        middle: The name of the entity, cut to its room.
        kinds: The kinds in the picture, for the legend.
        links: Lines between neighbours, drawn below all others.
    """

    view: str
    width: int
    height: int
    middle: str
    title: str
    radii: tuple[float, ...]
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    links: tuple[Line, ...]
    kinds: tuple[str, ...]
    has_mentions: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """A position by angle, in radians clockwise from the right, and distance from the middle."""

    angle: float
    radius: float

    @property
    def x(self) -> float:
        return self.radius * math.cos(self.angle)

    @property
    def y(self) -> float:
        return self.radius * math.sin(self.angle)


def draw_picture(rings: Rings, query: GraphQuery) -> Picture:
    """Return the picture of the rings; its links keep the query's time and number of rings."""
    places = _place_marks(rings)
    is_level = len(rings.inner) <= _MOST_LEVEL and not rings.outer
    spots: list[Spot] = []
    lines: list[Line] = []
    for one in rings.inner:
        place = places[_key(one)]
        room = _INNER_NAME_ROOM if rings.outer else _NAME_ROOM
        spots.append(_draw_spot(one, place, query, room=room, is_level=is_level))
        lines.append(_draw_spoke(one, place))
        for further in _outer_of(one, rings):
            outside = places[_key(further)]
            spots.append(_draw_spot(further, outside, query, room=_NAME_ROOM, is_outer=True))
            lines.append(_draw_branch(further, place, outside))
    left, top, right, bottom = _find_bounds(spots)
    title = ngettext(
        "%(name)s with %(count)d neighbour", "%(name)s with %(count)d neighbours", len(rings.neighbours)
    ) % {"name": get_name(rings.start), "count": len(rings.neighbours)}
    return Picture(
        view=f"{left} {top} {right - left} {bottom - top}",
        width=right - left,
        height=bottom - top,
        middle=cut_text(get_name(rings.start), _MIDDLE_ROOM),
        title=title,
        radii=tuple(sorted({place.radius for place in places.values()})),
        spots=tuple(spots),
        lines=tuple(lines),
        links=tuple(_draw_link(one, places) for one in rings.links),
        kinds=tuple(sorted({spot.kind for spot in spots if spot.kind})),
        has_mentions=any(line.is_mention for line in lines),
    )


def cut_text(text: str, room: int) -> str:
    """Return a text cut to a number of columns, with an ellipsis if something is left out."""
    text = " ".join(text.split())
    if count_columns(text) <= room:
        return text
    kept, used = [], 1
    for character in text:
        used += count_columns(character)
        if used > room:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def count_columns(text: str) -> int:
    """Return the width of a text in columns of a Latin letter: wide characters take two, marks none."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )


def _place_marks(rings: Rings) -> dict[str, _Place]:
    """Return the place of each mark: around the middle, each in a sector by the number of leaves on it."""
    import networkx as nx  # noqa: PLC0415 - takes a quarter of a second, which only this page needs

    graph: nx.Graph[str] = nx.Graph()
    graph.add_node("")
    for one in rings.inner:
        graph.add_edge("", _key(one))
        graph.add_edges_from((_key(one), _key(further)) for further in _outer_of(one, rings))
    tree = nx.bfs_tree(graph, "")
    radii = (0.0, *(_TWO if rings.outer else _ALONE))
    leaves: dict[str, int] = {}
    for name in nx.dfs_postorder_nodes(tree, ""):
        leaves[name] = sum(leaves[child] for child in tree.successors(name)) or 1
    places: dict[str, _Place] = {}
    _spread(tree, "", 0, -math.pi / 2, math.tau, leaves, radii, places)
    del places[""]
    return places


def _spread(
    tree: nx.DiGraph[str],
    name: str,
    ring: int,
    begin: float,
    width: float,
    leaves: dict[str, int],
    radii: Sequence[float],
    places: dict[str, _Place],
) -> None:
    """Place a mark in the middle of its sector, and what hangs on it in parts of the sector."""
    places[name] = _Place(begin + width / 2, radii[ring])
    for child in tree.successors(name):
        part = width * leaves[child] / leaves[name]
        _spread(tree, child, ring + 1, begin, part, leaves, radii, places)
        begin += part


def _key(one: Neighbour | LeftOut) -> str:
    return str(one.entity.id) if isinstance(one, Neighbour) else f"more {one.groups[0].anchor}"


def _outer_of(one: Neighbour | LeftOut, rings: Rings) -> tuple[Neighbour, ...]:
    return rings.outer.get(one.entity.id, ()) if isinstance(one, Neighbour) else ()


def _draw_spot(
    one: Neighbour | LeftOut,
    place: _Place,
    query: GraphQuery,
    *,
    room: int,
    is_level: bool = False,
    is_outer: bool = False,
) -> Spot:
    if isinstance(one, LeftOut):
        name = _("+%(count)d more") % {"count": one.count}
        title = f"{name}: {', '.join(group.label for group in one.groups)}"
        url, kind, predicate = one.url, "", ""
    else:
        name = get_name(one.entity)
        title = "; ".join(statement.sentence for statement in one.statements)
        url = query.around(one.entity.id)
        kind = one.statements[0].kind
        predicate = cut_text(one.statements[0].label, _PREDICATE_ROOM - 4) if is_outer else ""
    turn, text_x, text_y, anchor = _level(place) if is_level else _radial(place)
    return Spot(
        x=round(place.x, 1),
        y=round(place.y, 1),
        turn=turn,
        text_x=text_x,
        text_y=text_y,
        anchor=anchor,
        name=cut_text(name, room),
        predicate=predicate,
        title=title,
        url=url,
        kind=kind,
        is_more=isinstance(one, LeftOut),
    )


def _level(place: _Place) -> tuple[float, float, float, str]:
    """Return turn, position and anchor of a level name: beside its mark, or above or below it."""
    if abs(math.cos(place.angle)) < 0.3:  # noqa: PLR2004 - within some 17 degrees of the vertical
        return 0, 0, (-MARK - _GAP) if place.y < 0 else (MARK + _LINE), "middle"
    side = 1 if place.x > 0 else -1
    return 0, side * (MARK + _GAP), 5, "start" if side > 0 else "end"


def _radial(place: _Place) -> tuple[float, float, float, str]:
    """Return turn, position and anchor of a name that goes on outwards, never upside down."""
    turn, is_left = _readable_turn(place.angle)
    return turn, (-1 if is_left else 1) * (MARK + _GAP), 5, "end" if is_left else "start"


def _readable_turn(angle: float) -> tuple[float, bool]:
    """Return the degrees of a text along a spoke, and whether it is turned around to be readable."""
    is_left = math.cos(angle) < -1e-9  # noqa: PLR2004 - the vertical counts as right
    degrees = math.degrees(angle) + (180 if is_left else 0)
    return round((degrees + 180) % 360 - 180, 1), is_left


def _draw_spoke(one: Neighbour | LeftOut, place: _Place) -> Line:
    begin, end = MIDDLE + 3.0, place.radius - MARK - 3
    path = _straight(_Place(place.angle, begin), _Place(place.angle, end))
    if isinstance(one, LeftOut):
        return Line(path, is_mention=one.groups[0].predicate == "")
    words = cut_text(one.statements[0].label, _PREDICATE_ROOM) if one.statements[0].predicate else ""
    others = len({statement.label for statement in one.statements if statement.predicate}) - 1
    middle = _Place(place.angle, (begin + end) / 2)
    return Line(
        path,
        words=f"{words} +{others}" if others > 0 else words,
        x=round(middle.x, 1),
        y=round(middle.y, 1),
        turn=_readable_turn(place.angle)[0],
        is_incoming=not one.statements[0].outgoing,
        is_mention=not one.statements[0].predicate,
    )


def _draw_branch(one: Neighbour, origin: _Place, far: _Place) -> Line:
    """Return the line from a neighbour to one of its own: it begins and ends as a spoke."""
    begin, end = _Place(origin.angle, origin.radius + MARK + 3), _Place(far.angle, far.radius - MARK - 3)
    bend = (begin.radius + end.radius) / 2
    first, second = _Place(origin.angle, bend), _Place(far.angle, bend)
    path = f"M{_at(begin)}C{_at(first)} {_at(second)} {_at(end)}"
    return Line(path, is_incoming=not one.statements[0].outgoing)


def _draw_link(one: Statement, places: dict[str, _Place]) -> Line:
    """Return a line between two neighbours of the first ring, bent towards the middle."""
    origin, far = places[str(one.origin.id)], places[str(one.far.id)]
    inside = origin.radius - MARK - 2
    begin, end = _Place(origin.angle, inside), _Place(far.angle, inside)
    bend_x, bend_y = (begin.x + end.x) * 0.36, (begin.y + end.y) * 0.36
    path = f"M{_at(begin)}Q{bend_x:.1f},{bend_y:.1f} {_at(end)}"
    return Line(path, title=one.sentence)


def _straight(begin: _Place, end: _Place) -> str:
    return f"M{_at(begin)}L{_at(end)}"


def _at(place: _Place) -> str:
    return f"{place.x:.1f},{place.y:.1f}"


def _find_bounds(spots: Iterable[Spot]) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the picture with all names."""
    points: list[tuple[float, float]] = [(-MIDDLE, -MIDDLE), (MIDDLE, MIDDLE)]
    for spot in spots:
        points += [(spot.x - MARK, spot.y - MARK), (spot.x + MARK, spot.y + MARK)]
        columns = count_columns(f"{spot.predicate} {spot.name}".strip())
        length = columns * _COLUMN * {"start": 1, "end": -1, "middle": 0.5}[spot.anchor]
        angle = math.radians(spot.turn)
        for distance in (spot.text_x + length, spot.text_x - (length if spot.anchor == "middle" else 0)):
            points.append(
                (
                    spot.x + distance * math.cos(angle) - spot.text_y * math.sin(angle),
                    spot.y + distance * math.sin(angle) + spot.text_y * math.cos(angle),
                )
            )
    across, down = [x for x, _y in points], [y for _x, y in points]
    return (
        math.floor(min(across)) - _EDGE,
        math.floor(min(down)) - _EDGE,
        math.ceil(max(across)) + _EDGE,
        math.ceil(max(down)) + _EDGE,
    )
