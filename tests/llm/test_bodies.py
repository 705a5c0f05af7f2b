from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.errors import ModelError
from memsite.llm.chat import bodies
from memsite.llm.chat.retry import Deadline

STREAM = 'data: {"a": 1}\r\n\r\n: still here\n\nevent: x\ndata: 一\ndata:二\n\ndata: not ended\n'.encode()


@given(st.lists(st.integers(min_value=0, max_value=len(STREAM))))
def test_events_come_whole_however_the_bytes_are_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    pieces = [STREAM[start:end] for start, end in pairwise(places)]
    splitter = bodies.EventSplitter()
    assert [event for piece in pieces for event in splitter.feed(piece)] == ['{"a": 1}', "一\n二"]


def test_a_body_that_does_not_end_is_left() -> None:
    with pytest.raises(ModelError, match="too long"):
        bodies.read_body(iter([b"12345"] * 3), Deadline(60), limit=10)
