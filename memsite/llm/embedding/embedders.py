"""The embedding model of this site, by its settings or by name."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings

from memsite.llm.embedding.embedding import LOCAL_MODEL, Embedder
from memsite.llm.embedding.profiles import get_profile

DEFAULT_OPENAI_MODEL: Final = "text-embedding-3-small"


def get_wanted_model() -> str:
    """Return the name of the model that MEMSITE_EMBEDDING and MEMSITE_EMBEDDING_MODEL select."""
    if settings.MEMSITE_EMBEDDING != "openai":
        return LOCAL_MODEL
    return settings.MEMSITE_EMBEDDING_MODEL or DEFAULT_OPENAI_MODEL


def resolve_model_name(choice: str) -> str:
    """Return the model's name for a command's argument.

    It is `local` or `tokens`, which mean the same, `openai`, `openai:MODEL`, or a name.
    """
    if choice in {"local", "tokens"}:
        return LOCAL_MODEL
    if choice in {"openai", "openai:"}:
        return settings.MEMSITE_EMBEDDING_MODEL or DEFAULT_OPENAI_MODEL
    return choice.removeprefix("openai:")


def get_embedder(model: str = "", dimensions: int | None = None) -> Embedder:
    """Return the embedder of a model; one instance per process and set of settings.

    Args:
        model: Name as stored beside vectors; empty for the model that the settings select. Any name other
            than the local model's is requested from the server in the settings.
        dimensions: Required length of its vectors, so that a server that changed its model under the same
            name is refused; None to learn it from the first answer.
    """
    name = model or get_wanted_model()
    if name == LOCAL_MODEL:
        return _local()
    saved = get_profiles_file()
    return _remote(
        name,
        dimensions,
        settings.MEMSITE_EMBEDDING_BASE_URL or settings.OPENAI_BASE_URL,
        settings.OPENAI_API_KEY,
        settings.MEMSITE_MODEL_TIMEOUT,
        saved,
        _written_at(saved),
    )


def get_profiles_file() -> Path:
    """Return the file in which this site stores its measured similarity profiles."""
    return Path(settings.MEMSITE_DATA_DIR) / "profiles.json"


def _written_at(path: Path) -> int:
    """Return when a file was last written, in nanoseconds; 0 if there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=1)
def _local() -> Embedder:
    from memsite.llm.embedding.local_embedding import LocalEmbedder  # noqa: PLC0415 - loads its weights

    return LocalEmbedder()


@lru_cache(maxsize=8)
def _remote(
    model: str,
    dimensions: int | None,
    base_url: str,
    api_key: str,
    timeout: float,
    saved: Path,
    written_at: int,  # noqa: ARG001 - part of the cache key: a newly measured profile makes a new embedder
) -> Embedder:
    from memsite.llm.embedding.openai_embedding import OpenAIEmbedder  # noqa: PLC0415 - only where it is needed

    return OpenAIEmbedder(
        model=model,
        base_url=base_url,
        api_key=api_key,
        timeout=timeout,
        dimensions=dimensions,
        profile=get_profile(model, saved),
    )
