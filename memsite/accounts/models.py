"""People, their API keys, and applications that act for end users of their own."""

from __future__ import annotations

from typing import ClassVar, Final

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext

from memsite.accounts.names import check_username
from memsite.values import new_id


class User(AbstractUser):
    """A person whose memories are stored.

    An end user of an application has no password and is identified only by (application, external_id): the
    same external id under another application is another person.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    application = models.ForeignKey(
        "Application", on_delete=models.CASCADE, null=True, blank=True, related_name="end_users"
    )
    external_id = models.CharField(max_length=255, blank=True, default="")

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["application", "external_id"],
                condition=Q(application__isnull=False),
                name="accounts_end_user_unique",
            ),
            models.CheckConstraint(
                condition=Q(application__isnull=True, external_id="")
                | Q(application__isnull=False) & ~Q(external_id=""),
                name="accounts_end_user_has_external_id",
            ),
            models.UniqueConstraint(
                Lower("email"), condition=~Q(email=""), name="accounts_email_unique_in_any_case"
            ),
        ]

    def __str__(self) -> str:
        return self.username

    def clean(self) -> None:
        """Refuse a new name that is reserved or looks like another name. An existing name stays valid."""
        super().clean()
        if not User.objects.filter(pk=self.pk, username=self.username).exists():
            try:
                check_username(self.username)
            except ValidationError as error:
                raise ValidationError({"username": error}) from None


class ProgramHeader(models.TextChoices):
    """Headers of chat programs that name the end user or the conversation of a request."""

    OPENWEBUI_TOKEN = "x-openwebui-user-jwt"  # noqa: S105 - the name of a header
    OPENWEBUI_USER = "x-openwebui-user-id"
    LITELLM_USER = "x-litellm-end-user-id"
    SUPERMEMORY_USER = "x-sm-user-id"
    OPENWEBUI_CHAT = "x-openwebui-chat-id"
    CONVERSATION = "x-conversation-id"
    LITELLM_SESSION = "x-litellm-session-id"
    CODEX_SESSION = "session-id"


#: The headers that name a conversation, in the order in which they are read.
THREAD_HEADERS: Final = (
    ProgramHeader.OPENWEBUI_CHAT,
    ProgramHeader.CONVERSATION,
    ProgramHeader.LITELLM_SESSION,
    ProgramHeader.CODEX_SESSION,
)


def list_default_headers() -> list[str]:
    """Return the headers that a new application reads: those that name a conversation."""
    return [one.value for one in THREAD_HEADERS]


class Application(models.Model):
    """A program that stores memories for its own end users. Owned by one person.

    Attributes:
        headers: Headers of `ProgramHeader` that are read at the OpenAI-compatible endpoint.
        user_header: One more header that names the end user; in lower case, empty for none.
        token_secret: Encrypted secret of the tokens in X-OpenWebUI-User-Jwt; empty for none.
        require_user: Whether a request there has to name an end user. Otherwise the owner is meant.
        finds_side_requests: Whether requests that a program makes for itself are recognised there.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="applications")
    name = models.CharField(max_length=100)
    headers = ArrayField(
        models.CharField(max_length=64, choices=ProgramHeader.choices),
        default=list_default_headers,
        blank=True,
    )
    user_header = models.CharField(max_length=64, blank=True, default="")
    token_secret = models.CharField(max_length=1000, blank=True, default="", editable=False)
    require_user = models.BooleanField(default=False)
    finds_side_requests = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="accounts_application_owner_id"),
            models.UniqueConstraint(fields=["owner", "name"], name="accounts_application_name_unique"),
        ]

    def __str__(self) -> str:
        return self.name


class Scope(models.TextChoices):
    """A permission of a key: `read`, `write` (add and change), `admin` (keys)."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class ApiKey(models.Model):
    """A program's credential. Only its SHA-256 is stored: 256 random bits need no slow hash."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, null=True, blank=True, related_name="api_keys"
    )
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=16, unique=True, editable=False)
    digest = models.BinaryField(max_length=32, editable=False)
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope.choices))
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_used_address = models.GenericIPAddressField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "API key"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="accounts_apikey_owner_id"),
            models.CheckConstraint(condition=~Q(scopes=[]), name="accounts_apikey_has_scope"),
        ]
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_usable(self) -> bool:
        """Whether the key is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())


class ConnectedProgram(models.Model):
    """A program that a person connected by OAuth. Without this row, its tokens are worth nothing.

    Attributes:
        client: The program's registration, which all of its users share.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="connected_programs", db_index=False
    )
    client = models.ForeignKey("oauth2_provider.Application", on_delete=models.CASCADE, related_name="+")
    connected_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="accounts_connectedprogram_owner_id"),
            models.UniqueConstraint(fields=["owner", "client"], name="accounts_connectedprogram_once"),
        ]

    def __str__(self) -> str:
        return f"program {self.client_id} of {self.owner_id}"


class Preferences(models.Model):
    """A person's choices about their own memory.

    Attributes:
        kept_kinds: Kinds of memories that do not wait for confirmation although `auto_extract` is off.
        refused_kinds: Kinds of memories that are never learnt. A person may still write them.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.OneToOneField(User, on_delete=models.CASCADE, related_name="preferences")
    memory_on = models.BooleanField(default=True)
    auto_extract = models.BooleanField(default=True)
    citations_on = models.BooleanField(default=True)
    kept_kinds = ArrayField(models.CharField(max_length=16), default=list, blank=True)
    refused_kinds = ArrayField(models.CharField(max_length=16), default=list, blank=True)
    language = models.CharField(max_length=16, blank=True, default="")

    class Meta:
        verbose_name_plural = "preferences"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="accounts_preferences_owner_id")
        ]

    def __str__(self) -> str:
        return f"preferences of {self.owner_id}"


class DeletionScope(models.TextChoices):
    """The extent of a deletion: memories and threads, or the account with everything in it."""

    MEMORIES = "memories"
    ACCOUNT = "account"


class DeletionRequest(models.Model):
    """A person's request to delete their data; after that, its receipt.

    A request to delete the account is deleted with the account.

    Attributes:
        due_at: From when it is carried out; until it has begun, it can be called off.
        erased: How many rows were deleted, by name; grows with each batch.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="deletion_requests", db_index=False
    )
    scope = models.CharField(max_length=16, choices=DeletionScope.choices)
    requested_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)
    called_off_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    erased = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="accounts_deletionrequest_owner_id"),
            models.UniqueConstraint(
                fields=["owner"],
                condition=Q(called_off_at__isnull=True, finished_at__isnull=True),
                name="accounts_deletionrequest_one_open",
            ),
            models.CheckConstraint(
                condition=Q(called_off_at__isnull=True) | Q(begun_at__isnull=True, finished_at__isnull=True),
                name="accounts_deletionrequest_called_off_before_begun",
            ),
        ]

    def __str__(self) -> str:
        return f"deletion of {self.owner_id}: {self.scope}"

    @property
    def is_open(self) -> bool:
        """Whether it is neither called off nor finished."""
        return self.called_off_at is None and self.finished_at is None


class Invitation(models.Model):
    """A one-time code to sign up: by invitation, or as the first administrator of a new site."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.BinaryField(max_length=32, unique=True, editable=False)
    makes_staff = models.BooleanField(default=False)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")), name="accounts_invitation_expires_later"
            )
        ]

    def __str__(self) -> str:
        return gettext("invitation of %(day)s") % {"day": f"{self.created_at:%Y-%m-%d}"}


class AuditEntry(models.Model):
    """One look or act of staff at a person's rows, or one act on the account itself.

    Shown to the owner; never changed.

    Attributes:
        batch_id: The batch of the act, by which it can be undone; null if it has none.
        detail: The browser or the key that was used; for an undo, the id of the batch that was undone.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="audit_entries", db_index=False)
    actor = models.CharField(max_length=150)
    act = models.CharField(max_length=32)
    subject = models.CharField(max_length=100)
    subject_ids = ArrayField(models.UUIDField(), default=list)
    batch_id = models.UUIDField(null=True, blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)
    detail = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "audit entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="accounts_auditentry_owner_id")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["batch_id"], condition=Q(batch_id__isnull=False), name="accounts_auditentry_batch"
            )
        ]

    def __str__(self) -> str:
        return f"{self.actor}: {gettext(self.act)} · {gettext(self.subject)}"
