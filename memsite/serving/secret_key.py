"""The site's secret key, created once and stored in the data directory."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from memsite.env import BadSetting
from memsite.serving.data_folder import explain_file_error


def load_secret_key(data_dir: Path) -> str:
    """Return the key in `data_dir/secret_key` (mode 0600); create it on the first call.

    Safe if several processes start at once: the first one to link its file wins, and all read that file.

    Raises:
        BadSetting: If `data_dir` is not a directory, or cannot be written.
    """
    path = data_dir / "secret_key"
    if not path.exists():
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise BadSetting("MEMSITE_DATA_DIR", f"{data_dir} is not a folder") from None
        except OSError as error:
            raise _explain(error) from None
        try:
            _create(path)
        except OSError as error:
            raise _explain(error) from None
    return path.read_text(encoding="ascii").strip()


def _explain(error: OSError) -> BadSetting:
    return BadSetting("MEMSITE_DATA_DIR", explain_file_error(error) or str(error))


def _create(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
