"""Similarity profiles by model name: measured by `manage.py profile_embedding`, or estimated."""

import json
import re
from pathlib import Path
from typing import Final

from memsite.errors import InvalidInput
from memsite.llm.embedding.embedding import IDENTITY, LOCAL_MODEL, SimilarityProfile

#: Measured by `manage.py profile_embedding` on bench/profile/pairs.jsonl.
_LOCAL: Final = SimilarityProfile(
    points=(
        (0.0, 0.0),
        (0.2367, 0.5),
        (0.3201, 0.65),
        (0.4329, 0.7),
        (0.6755, 0.85),
        (0.9258, 0.9),
        (1.0, 1.0),
    )
)

#: Not measured here: estimated for OpenAI's third generation from published cosines.
_OPENAI_3: Final = SimilarityProfile(
    points=((0.0, 0.0), (0.25, 0.5), (0.4, 0.65), (0.48, 0.7), (0.68, 0.85), (0.86, 0.9), (1.0, 1.0)),
    origin="estimated",
)

PROFILES: Final = {
    LOCAL_MODEL: _LOCAL,
    "text-embedding-3-small": _OPENAI_3,
    "text-embedding-3-large": _OPENAI_3,
}


def get_profile(model: str, saved: Path | None = None) -> SimilarityProfile:
    """Return the profile of a model: from the file of saved profiles, else a shipped one, else the identity.

    Args:
        model: Name of the model.
        saved: File written by `profile_embedding --write`; it may be absent.

    Raises:
        InvalidInput: If the file does not contain profiles.
    """
    return read_profiles(saved).get(model) or PROFILES.get(model) or IDENTITY


#: Families of models for program code whose names do not begin with "code".
_CODE_FAMILIES: Final = frozenset({"unixcoder", "graphcodebert", "starencoder", "plbart"})


def is_code_model(model: str) -> bool:
    """Return whether a model's name says that it was made only for program code (`…-code`, `codebert`)."""
    words = re.findall(r"[a-z]+", model.lower())
    return any(word.startswith("code") or word in _CODE_FAMILIES for word in words)


def read_profiles(saved: Path | None) -> dict[str, SimilarityProfile]:
    """Read profiles by model name from a JSON file {model: {"points": [[raw, reference], …]}}."""
    if saved is None or not saved.exists():
        return {}
    try:
        content = json.loads(saved.read_text(encoding="utf-8"))
        return {model: _profile(entry["points"]) for model, entry in content.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidInput(f"{saved.name} holds no similarity profiles: {error}") from error


def save_profile(path: Path, model: str, profile: SimilarityProfile) -> None:
    """Add a model's profile to a file of profiles, replacing an older one; the others are kept.

    Raises:
        InvalidInput: If the file contains something else.
    """
    profiles = read_profiles(path) | {model: profile}
    content = {name: {"points": one.points} for name, one in profiles.items()}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _profile(points: list[list[float]]) -> SimilarityProfile:
    return SimilarityProfile(tuple((float(raw), float(reference)) for raw, reference in points))
