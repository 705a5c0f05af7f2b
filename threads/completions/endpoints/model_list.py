"""`/v1/models`: the configured models, then those that the model server lists."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final

import structlog
from django.conf import settings

from memsite.errors import ModelError, NotFound
from memsite.metering import get_model_name, list_server_models
from threads.completions.endpoints.errors import NoModel
from threads.completions.endpoints.requests import Answer, Request, authenticate
from threads.completions.values import encode_json

#: Seconds for which the server's list is kept.
_KEPT_SECONDS: Final = 60.0
#: The name that selects the site's own choice.
OUR_NAME: Final = "memsite"
_log: Final = structlog.get_logger("threads.completions")

Place = tuple[str, str]


class ServerModels:
    """The models that the server lists, kept for a minute. Of one that does not answer, there are none."""

    def __init__(self) -> None:
        self._kept: dict[Place, tuple[float, list[dict[str, Any]]]] = {}
        self._fetching: dict[Place, asyncio.Task[list[dict[str, Any]]]] = {}

    async def load(self) -> list[dict[str, Any]]:
        """Return the models in OpenAI's shape."""
        if not get_model_name("primary"):
            return []
        place = (settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY)
        until, kept = self._kept.get(place, (0.0, []))
        if time.monotonic() < until:
            return kept
        fetching = self._fetching.get(place)
        if fetching is None or fetching.done():
            fetching = self._fetching[place] = asyncio.create_task(self._fetch(place))
        return await asyncio.shield(fetching)

    def forget(self) -> None:
        """Forget all lists."""
        self._kept.clear()
        self._fetching.clear()

    async def _fetch(self, place: Place) -> list[dict[str, Any]]:
        try:
            found = await list_server_models()
        except ModelError as error:
            _log.info("the model server gave no list", reason=(error.detail or {}).get("reason"))
            found = []
        self._kept[place] = (time.monotonic() + _KEPT_SECONDS, found)
        return found


server_models: Final = ServerModels()


async def choose_model(name: object) -> str:
    """Return the model that a client's name means: itself if we have it, else the configured one.

    Raises:
        NoModel: If no model is configured.
    """
    primary = get_model_name("primary")
    if not primary:
        raise NoModel("No language model is configured on this site: set MEMSITE_MODEL_PRIMARY.")
    if not isinstance(name, str) or name in {"", OUR_NAME, primary}:
        return primary
    if name == get_model_name("fast"):
        return name
    listed = await server_models.load()
    return name if any(one["id"] == name for one in listed) else primary


async def list_models(request: Request) -> Answer:
    """Answer `GET /v1/models`."""
    await authenticate(request, "read")
    return Answer(encode_json({"object": "list", "data": await _collect()}))


async def get_model(request: Request, model: str) -> Answer:
    """Answer `GET /v1/models/{id}`."""
    await authenticate(request, "read")
    for one in await _collect():
        if one["id"] == model:
            return Answer(encode_json(one))
    raise NotFound(f"There is no model {model!r} here.")


async def _collect() -> list[dict[str, Any]]:
    listed = {one["id"]: one for one in await server_models.load()}
    names = [name for name in (get_model_name("primary"), get_model_name("fast")) if name]
    return [_render(listed.get(name, {"id": name})) for name in dict.fromkeys([*names, *listed])]


def _render(model: Mapping[str, Any]) -> dict[str, Any]:
    created = model.get("created")
    return {
        **model,
        "object": "model",
        "created": created if isinstance(created, int) else 0,
        "owned_by": str(model.get("owned_by") or OUR_NAME),
    }
