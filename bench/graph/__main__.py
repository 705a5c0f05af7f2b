"""`python -m bench.graph`: evidence recall on chains of statements, with and without the graph signal."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from bench.graph.chains import CHAINS, SEED, Chain, make_chains

#: How many results count.
AT: Final = (5, 10)


def main() -> None:
    """Print recall by language and number of hops."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chains", type=int, default=CHAINS, help="of each language, 30 at most")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
    os.environ.setdefault("MEMSITE_SECRET_KEY", secrets.token_hex(32))  # nothing is stored
    from bench.graph.recall import Store  # noqa: PLC0415 - reads the settings

    chains = make_chains(min(options.chains, CHAINS), seed=options.seed)
    store = Store(chains.statements, now=datetime.now(UTC))
    print(f"{len(chains.questions)} questions over {len(chains.statements)} statements; evidence recall, %\n")
    print(
        f"{'':18}{'questions':>10}"
        + "".join(f"{f'{arm} @{k}':>14}" for k in AT for arm in ("without", "with"))
    )
    groups = sorted({(one.language, one.hops) for one in chains.questions})
    for language, hops in groups:
        among = [one for one in chains.questions if (one.language, one.hops) == (language, hops)]
        _print(f"{language}, {hops} {'hop' if hops == 1 else 'hops'}", among, store)
    _print("several hops", [one for one in chains.questions if one.hops > 1], store)


def _print(label: str, questions: Sequence[Chain], store: object) -> None:
    from bench.graph.recall import Store, mean_recall  # noqa: PLC0415 - as above

    assert isinstance(store, Store)
    values = [mean_recall(store, questions, k, graph=graph) for k in AT for graph in (False, True)]
    print(f"{label:18}{len(questions):>10}" + "".join(f"{100 * value:>14.1f}" for value in values))


main()
