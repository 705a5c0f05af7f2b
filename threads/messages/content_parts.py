"""Convert content parts in OpenAI's or Anthropic's format to text. Pure.

An attachment is represented by its caption: `[image: a beach at dusk]`, or `[image]` without one.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from threads.conf import CONTENT_PARTS

_CAPTION_CHARACTERS: Final = 2_000


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TextPart(_Part):
    """A text, kept as it is."""

    type: Literal["text", "input_text", "output_text"]
    text: str

    def as_text(self) -> str:
        """Return the text."""
        return self.text


class _Attachment(_Part):
    """Anything other than text. `caption` describes it; nothing else of it is kept."""

    caption: str = Field(default="", max_length=_CAPTION_CHARACTERS)

    def labelled(self, label: str) -> str:
        """Return the caption after a label, in square brackets."""
        caption = " ".join(self.caption.split())
        return f"[{label}: {caption}]" if caption else f"[{label}]"


class ImagePart(_Attachment):
    """A picture: `image_url` and `input_image` of OpenAI, `image` of Anthropic."""

    type: Literal["image_url", "input_image", "image"]
    image_url: dict[str, Any] | str | None = None
    source: dict[str, Any] | None = None
    detail: str | None = None
    file_id: str | None = None

    def as_text(self) -> str:
        """Return `[image: caption]`."""
        return self.labelled("image")


class AudioPart(_Attachment):
    """An audio recording."""

    type: Literal["input_audio"]
    input_audio: dict[str, Any]

    def as_text(self) -> str:
        """Return `[audio: caption]`."""
        return self.labelled("audio")


class FilePart(_Attachment):
    """A file: `file` and `input_file` of OpenAI, `document` of Anthropic."""

    type: Literal["file", "input_file", "document"]
    file: dict[str, Any] | None = None
    source: dict[str, Any] | None = None
    title: str | None = None
    filename: str | None = None
    file_data: str | None = None
    file_id: str | None = None
    file_url: str | None = None

    def as_text(self) -> str:
        """Return `[file: caption]`."""
        return self.labelled("file")


ContentPart = Annotated[TextPart | ImagePart | AudioPart | FilePart, Field(discriminator="type")]
ContentParts = Annotated[list[ContentPart], Field(max_length=CONTENT_PARTS)]
_PARTS: Final[TypeAdapter[list[ContentPart]]] = TypeAdapter(ContentParts)


def render_content(content: Any) -> Any:  # noqa: ANN401 - anything a request may carry
    """Return the text of a list of content parts, each on lines of its own. Return anything else unchanged.

    Raises:
        pydantic.ValidationError: If the list contains anything but content parts.
    """
    if not isinstance(content, list):
        return content
    return "\n".join(part.as_text() for part in _PARTS.validate_python(content))
