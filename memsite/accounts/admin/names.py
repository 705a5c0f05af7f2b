"""Name the models and fields of accounts and jobs for staff, in their language."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from memsite.accounts.audited_admin import name_model
from memsite.accounts.models import ApiKey, Application, AuditEntry, DeletionRequest, Invitation, User
from memsite.jobs.models import Heartbeat, Job

name_model(User, _("user"), _("users"), application=_("application"), external_id=_("id in the application"))
name_model(
    ApiKey,
    _("API key"),
    _("API keys"),
    name=_("name"),
    prefix=_("begins with"),
    owner=_("owner"),
    application=_("application"),
    scopes=_("scopes"),
    created_at=_("made"),
    expires_at=_("expires"),
    last_used_at=_("last used"),
    last_used_address=_("last used from"),
    revoked_at=_("revoked"),
)
name_model(
    Application,
    _("application"),
    _("applications"),
    name=_("name"),
    owner=_("owner"),
    created_at=_("made"),
)
name_model(
    Invitation,
    _("invitation"),
    _("invitations"),
    makes_staff=_("makes an administrator"),
    created_by=_("made by"),
    created_at=_("made"),
    expires_at=_("expires"),
    used_at=_("used"),
)
name_model(
    AuditEntry,
    _("audit entry"),
    _("audit entries"),
    owner=_("owner"),
    actor=_("who"),
    act=_("act"),
    subject=_("rows"),
    subject_ids=_("ids of the rows"),
    batch_id=_("batch"),
    address=_("IP address"),
    detail=_("detail"),
    created_at=_("when"),
)
name_model(
    DeletionRequest,
    _("requested deletion"),
    _("requested deletions"),
    owner=_("owner"),
    scope=_("what"),
    requested_at=_("requested"),
    due_at=_("due"),
    begun_at=_("begun"),
    called_off_at=_("called off"),
    finished_at=_("finished"),
    erased=_("deleted rows"),
)
name_model(
    Job,
    _("job"),
    _("jobs"),
    id=_("id"),
    task=_("task"),
    owner_id=_("owner"),
    timeout=_("seconds it may take"),
    attempts=_("attempts"),
    created_at=_("queued"),
    run_after=_("not before"),
    started_at=_("started"),
    finished_at=_("ended"),
    claim=_("claim"),
    worker=_("worker"),
    process=_("process"),
    deadline=_("to end by"),
)
name_model(
    Heartbeat,
    _("worker"),
    _("workers"),
    worker=_("worker"),
    place=_("machine"),
    process=_("process"),
    at=_("last able to work"),
)
