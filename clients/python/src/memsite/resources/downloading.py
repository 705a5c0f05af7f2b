"""Write a long answer to a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memsite.wire import Answer, Call, Flow, NextPiece, Open


def download(path: str, to: str | Path, params: Mapping[str, Any] | None = None) -> Flow[int]:
    """Write an answer to a file, and return its size in bytes.

    The file has its name only once it is whole: an interrupted download leaves `NAME.part`.
    """
    target = Path(to)
    part = target.with_name(f"{target.name}.part")
    opened: Answer = yield Open(
        Call(method="GET", path=path, reads=lambda answer: answer, params=params, repeatable=True, wait=600)
    )
    if opened.is_error:
        raise opened.error()
    size = 0
    with part.open("wb") as file:
        while (piece := (yield NextPiece())) is not None:
            size += file.write(piece)
    part.replace(target)
    return size
