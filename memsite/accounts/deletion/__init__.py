"""Delete people's data: at once for end users, after a week's grace for what a person requests."""

from memsite.accounts.deletion.people import delete_end_user, delete_person
from memsite.accounts.deletion.requests import (
    GRACE,
    Receipt,
    call_off_deletion,
    find_open_deletion,
    hasten_deletion,
    list_ended_deletions,
    load_deletion_banner,
    make_receipt,
    request_deletion,
)
from memsite.accounts.deletion.stored_data import (
    StoredData,
    count_data,
    list_unreachable,
    register_stored_data,
)

__all__ = [
    "GRACE",
    "Receipt",
    "StoredData",
    "call_off_deletion",
    "count_data",
    "delete_end_user",
    "delete_person",
    "find_open_deletion",
    "hasten_deletion",
    "list_ended_deletions",
    "list_unreachable",
    "load_deletion_banner",
    "make_receipt",
    "register_stored_data",
    "request_deletion",
]
