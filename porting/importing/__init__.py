"""Import: look at the files, write what they hold in parts that a job repeats safely, and take it back."""

from porting.importing.begin import (
    Options,
    begin_import,
    cancel_import,
    get_import,
    list_imports,
    look_at_files,
    start_import,
)
from porting.importing.files import Upload
from porting.importing.preview import Preview
from porting.importing.running import run_import
from porting.importing.sweeping import count_imports, erase_some_imports, sweep
from porting.importing.undoing import continue_undo, undo_import

__all__ = [
    "Options",
    "Preview",
    "Upload",
    "begin_import",
    "cancel_import",
    "continue_undo",
    "count_imports",
    "erase_some_imports",
    "get_import",
    "list_imports",
    "look_at_files",
    "run_import",
    "start_import",
    "sweep",
    "undo_import",
]
