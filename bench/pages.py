"""Measure the time to the first byte of every page, for a person with many memories and threads.

python -m bench.pages [--memories 10000] [--threads 500] [--looks 30]

The person signs up on a site of our own and keeps one connection open, as a browser does.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

import httpx2
from tqdm import tqdm

from bench import texts
from bench.clock import milliseconds, p50
from bench.connection import BATCH
from bench.figures import Figure, print_figures
from bench.site import own_site
from bench.stage import MEMORIES_SEED

MEMORIES: Final = 10_000
THREADS: Final = 500
LOOKS: Final = 30
_MESSAGES: Final = 30  # of the thread that is shown
_MOST: Final = 60.0  # milliseconds
_WARM_UP: Final = 4  # enough to reach every web process
_TIMEOUT: Final = 120.0
#: Pages without an id in their path.
_PAGES: Final = (
    "/",
    "/guide/",
    "/status/",
    "/threads/",
    "/threads/new/",
    "/memories/",
    "/memories/?q=Which+tea+do+I+like",
    "/memories/add/",
    "/memories/timeline/",
    "/memories/graph/",
    "/memories/report/",
    "/inbox/",
    "/conflicts/",
    "/settings/memory/",
    "/settings/data/",
    "/settings/programs/",
    "/settings/account/",
    "/settings/privacy/",
    "/settings/audit/",
)


def measure(browser: httpx2.Client, memories: int, threads: int, looks: int) -> list[Figure]:
    """Fill the account of a person who is signed in, and return the median time of each page."""
    pages = (*_PAGES, *_fill(browser, memories, threads))
    figures = []
    for page in tqdm(pages, desc="looking", leave=False):
        for _ in range(_WARM_UP):
            _wait_for_first_byte(browser, page)
        times = [milliseconds(partial(_wait_for_first_byte, browser, page)) for _ in range(looks)]
        bare = [milliseconds(partial(_wait_for_first_byte, browser, "/healthz")) for _ in range(looks)]
        figures.append(Figure(page, p50(times), "ms", p50(bare), "/healthz", most=_MOST))
    return figures


def sign_up(browser: httpx2.Client, name: str) -> None:
    """Make an account and sign in. Ends the run if that fails."""
    browser.get("/accounts/signup/")
    password = "nobody else's password"  # noqa: S105 - of a site that is removed at the end
    form = {"username": name, "password1": password, "password2": password}
    browser.post("/accounts/signup/", data=form, headers=_token(browser))
    if "sessionid" not in browser.cookies:
        raise SystemExit("Nobody could sign up.")


def _fill(browser: httpx2.Client, memories: int, threads: int) -> tuple[str, str]:
    """Write memories and threads; return the pages of one memory and of a thread with messages."""
    written: dict[str, Any] = {}
    numbered = enumerate(texts.memories(memories, MEMORIES_SEED))
    for _ in tqdm(range(0, memories, BATCH), desc="memories", leave=False):
        batch = [texts.written(text, place, "semantic") for place, text in islice(numbered, BATCH)]
        written = _call(browser, "/api/memories/batch", {"memories": batch})["results"][-1]
    thread = ""
    for text in tqdm(
        islice(texts.questions(threads, 1), threads), desc="threads", total=threads, leave=False
    ):
        thread = _call(browser, "/api/threads", {})["id"]
        _call(browser, f"/api/threads/{thread}/messages", {"messages": [{"role": "user", "content": text}]})
    _call(browser, f"/api/threads/{thread}/messages", {"messages": list(_messages())})
    return f"/memories/{written['memory']['id']}/", f"/threads/{thread}/"


def _messages() -> Iterator[dict[str, str]]:
    for place, text in enumerate(texts.questions(_MESSAGES, 2)):
        yield {"role": "user" if place % 2 else "assistant", "content": text}


def _wait_for_first_byte(browser: httpx2.Client, page: str) -> None:
    with browser.stream("GET", page) as answer:
        if answer.status_code != httpx2.codes.OK:
            raise SystemExit(f"{page}: {answer.status_code}")


def _call(browser: httpx2.Client, path: str, body: object) -> Any:  # noqa: ANN401 - what the API answers
    answer = browser.post(path, json=body, headers=_token(browser))
    if answer.is_error:
        raise SystemExit(f"{path}: {answer.status_code} {answer.text[:300]}")
    return answer.json()


def _token(browser: httpx2.Client) -> dict[str, str]:
    return {"X-CSRFToken": browser.cookies["csrftoken"]}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--memories", type=int, default=MEMORIES)
    options.add_argument("--threads", type=int, default=THREADS)
    options.add_argument("--looks", type=int, default=LOOKS)
    chosen = options.parse_args(arguments)
    with own_site() as site, httpx2.Client(base_url=site.url, timeout=_TIMEOUT) as browser:
        sign_up(browser, "reader")
        print_figures("Pages", measure(browser, chosen.memories, chosen.threads, chosen.looks))


if __name__ == "__main__":
    main()
