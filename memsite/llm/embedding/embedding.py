"""The interface of an embedding model, and the scale of its similarities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, overload, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
ProfileOrigin = Literal["measured", "estimated", "unknown"]
#: The name of the default, the built-in model (`memsite.llm.embedding.local_embedding`).
LOCAL_MODEL: Final = "wordllama-l2-supercat-256"


@dataclass(frozen=True)
class SimilarityProfile:
    """Map an embedder's raw cosine to the reference scale, on which thresholds mean the same for every model.

    Attributes:
        points: (raw cosine in [-1, 1], reference in [0, 1]); raw strictly increasing, reference never
            decreasing, at least two points. The map is linear between points and flat outside them.
        origin: `measured` on the labelled pairs, `estimated` from published figures, or `unknown` (the map is
            then the identity and thresholds are unreliable).

    Raises:
        ValueError: For points out of order or out of range.
    """

    points: tuple[tuple[float, float], ...]
    origin: ProfileOrigin = "measured"

    def __post_init__(self) -> None:
        if len(self.points) <= 1:
            raise ValueError("a similarity profile needs at least two points")
        raw, reference = np.array(self.points, dtype=np.float64).T
        if np.any(np.diff(raw) <= 0) or np.any(np.diff(reference) < 0):
            raise ValueError("the points of a similarity profile must rise")
        if max(-raw[0], raw[-1], reference[-1]) > 1 or reference[0] < 0:
            raise ValueError("a similarity profile maps [-1, 1] into [0, 1]")

    @overload
    def to_reference(self, raw: float) -> float: ...
    @overload
    def to_reference(self, raw: NDArray[np.floating]) -> NDArray[np.float64]: ...
    def to_reference(self, raw: float | NDArray[np.floating]) -> float | NDArray[np.float64]:
        """Map raw cosine(s) to reference similarity in [0, 1]: a float for a float, an array for an array."""
        xs, ys = zip(*self.points, strict=True)
        mapped = np.interp(raw, xs, ys)
        return mapped if isinstance(raw, np.ndarray) else float(mapped)

    @property
    def warning(self) -> str | None:
        """The warning to show about this profile; None if it was measured."""
        if self.origin == "measured":
            return None
        description = "only estimated" if self.origin == "estimated" else "not known"
        return (
            f"the similarity scale of this embedding model is {description}, so thresholds are approximate;"
            " measure it with: manage.py profile_embedding"
        )


IDENTITY = SimilarityProfile(points=((0.0, 0.0), (1.0, 1.0)), origin="unknown")


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into unit vectors, whose dot product is their similarity."""

    @property
    def model(self) -> str:
        """The name stored beside every vector; vectors of different models are never compared."""

    @property
    def dimensions(self) -> int:
        """Length of a vector. A remote model may have to be asked, so this may raise ModelError."""

    @property
    def profile(self) -> SimilarityProfile:
        """The map from this model's cosines to the reference scale."""

    def embed(self, texts: Sequence[str]) -> Float32:
        """Embed texts.

        Returns:
            Shape (len(texts), dimensions); rows of length 1, or all zero for blank text.

        Raises:
            ModelError: From `memsite.errors`, if a remote model fails. A local model does not fail.
        """


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder whose text vector is made of one fixed vector per token."""

    @property
    def token_vectors(self) -> Float32:
        """One row per token of the vocabulary: (vocabulary, dimensions)."""

    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        """Return the token ids of each text, which are rows of `token_vectors`; none for blank text."""

    def embed_tokens(self, token_ids: Sequence[NDArray[np.uint32]]) -> Float32:
        """Return what `embed` returns for texts with these token ids."""

    def __hash__(self) -> int:
        """Hash the embedder: data derived from the vocabulary is cached per embedder."""
