"""Admin pages of people, keys, applications, invitations, the audit record and jobs."""

from django.contrib import admin
from django.utils.translation import gettext_lazy

from memsite.accounts.admin import names, people, programs, records
from memsite.accounts.signing import guard_admin

__all__ = ["names", "people", "programs", "records"]

admin.site.site_title = "Memsite"
admin.site.site_header = gettext_lazy("Memsite administration")
admin.site.index_title = gettext_lazy("All data")
guard_admin(admin.site)
