"""Fit all that is estimated from sentence vectors, print how good it is on unseen writers, and write it.

python -m training [--check] [--vectors FILE]

`--check` writes nothing. The sentence vectors of all texts are kept in FILE, by default in the temporary
folder.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from argparse import ArgumentParser
from pathlib import Path


def main() -> None:
    """Fit, validate and write."""
    parser = ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument(
        "--vectors", type=Path, default=Path(tempfile.gettempdir()) / "memsite-training-vectors.npz"
    )
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
    os.environ.setdefault("MEMSITE_SECRET_KEY", secrets.token_hex(32))  # nothing is stored
    import django  # noqa: PLC0415 - after the environment is set

    django.setup()
    from training.fitting import fit_all  # noqa: PLC0415 - reads the settings

    fit_all(options.vectors, writes=not options.check)


if __name__ == "__main__":
    main()
