"""Base classes of admin pages that show people's rows: looks and acts are recorded, and lists stay quick.

Rows are not edited by hand; staff act on them with the same functions that people use themselves.
"""

from memsite.accounts.audited_admin.lists import BoundedPaginator, OwnerFilter
from memsite.accounts.audited_admin.names import name_model
from memsite.accounts.audited_admin.rows import Audited, ReadOnly, get_actor_name

__all__ = ["Audited", "BoundedPaginator", "OwnerFilter", "ReadOnly", "get_actor_name", "name_model"]
