"""Every setting of the site. Values from outside come through `memsite.env` alone.

docs/settings.md describes each variable read here; a test holds the two together.
"""

from __future__ import annotations

from pathlib import Path

import django_stubs_ext

from memsite import env
from memsite.jobs.conf import Q_CLUSTER as Q_CLUSTER  # noqa: PLC0414 - django-q2 looks for it here
from memsite.serving.observability import logging_config
from memsite.serving.postgres import STATEMENT_SECONDS, build_databases
from memsite.serving.secret_key import load_secret_key

# Lets Django's own generic classes, forms and admin among them, take their type when they are made.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Where things are -------------------------------------------------------------------------
MEMSITE_DATA_DIR = env.path("MEMSITE_DATA_DIR", BASE_DIR / "var")
PORT = env.integer("PORT", 8000, minimum=1, maximum=65535)
MEMSITE_HOST = env.text("MEMSITE_HOST", "127.0.0.1")
MEMSITE_BASE_URL = env.text("MEMSITE_BASE_URL", f"http://127.0.0.1:{PORT}").rstrip("/")
DATABASE_URL = env.secret("DATABASE_URL")
DEBUG = env.flag("MEMSITE_DEBUG", default=False)
SECRET_KEY = env.secret("MEMSITE_SECRET_KEY") or load_secret_key(MEMSITE_DATA_DIR)
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", *env.listing("MEMSITE_ALLOWED_HOSTS")]
MEMSITE_TRUSTED_PROXIES = env.networks("MEMSITE_TRUSTED_PROXIES")
MEMSITE_CORS_ORIGINS = env.origins("MEMSITE_CORS_ORIGINS")
MEMSITE_PUBLIC_URL = env.text("MEMSITE_PUBLIC_URL", MEMSITE_BASE_URL).rstrip("/")
MEMSITE_OAUTH_HOSTS = env.listing("MEMSITE_OAUTH_HOSTS")

# --- People -------------------------------------------------------------------------------------
MEMSITE_SIGNUP = env.choice("MEMSITE_SIGNUP", ("open", "invitation", "closed"), "open")
MEMSITE_STAFF_SECOND_FACTOR = env.flag("MEMSITE_STAFF_SECOND_FACTOR", default=False)
MEMSITE_RATE_LIMIT = env.rate("MEMSITE_RATE_LIMIT", "600/min")
MEMSITE_WAITING_CONNECTIONS = env.integer("MEMSITE_WAITING_CONNECTIONS", 500, minimum=1, maximum=60_000)
MEMSITE_WAITS = env.integer("MEMSITE_WAITS", 32, minimum=1, maximum=100_000)
MEMSITE_EVENT_DAYS = env.integer("MEMSITE_EVENT_DAYS", 30, minimum=1, maximum=3650)
MEMSITE_EVENT_STREAMS = env.integer("MEMSITE_EVENT_STREAMS", 1000, minimum=1, maximum=100_000)
MEMSITE_KEY_STREAMS = env.integer("MEMSITE_KEY_STREAMS", 10, minimum=1, maximum=100_000)
MEMSITE_WEBHOOK_HOSTS = env.hosts("MEMSITE_WEBHOOK_HOSTS")
MEMSITE_WEBHOOK_DAYS = env.integer("MEMSITE_WEBHOOK_DAYS", 14, minimum=1, maximum=3650)
MEMSITE_MAX_KEYS = env.integer("MEMSITE_MAX_KEYS", 50, minimum=1, maximum=100_000)
MEMSITE_EMAIL_FROM = env.text("MEMSITE_EMAIL_FROM", "memsite@localhost")
MEMSITE_SMTP_URL = env.secret("MEMSITE_SMTP_URL")
MEMSITE_OIDC_URL = env.text("MEMSITE_OIDC_URL")
MEMSITE_OIDC_NAME = env.text("MEMSITE_OIDC_NAME", "Single sign-on")
MEMSITE_OIDC_CLIENT_ID = env.text("MEMSITE_OIDC_CLIENT_ID")
MEMSITE_OIDC_SECRET = env.secret("MEMSITE_OIDC_SECRET")

# --- Memory -------------------------------------------------------------------------------------
MEMSITE_GATE = env.choice("MEMSITE_GATE", ("redact", "refuse"), "redact")
MEMSITE_CONTEXT_RECALL_MS = env.integer("MEMSITE_CONTEXT_RECALL_MS", 500, minimum=1, maximum=60_000)
MEMSITE_EPISODIC_CAP = env.integer("MEMSITE_EPISODIC_CAP", 1000, maximum=10_000_000)
MEMSITE_INDEX_CACHE_MB = env.integer("MEMSITE_INDEX_CACHE_MB", 512, minimum=8, maximum=1_000_000)

# --- Models -------------------------------------------------------------------------------------
MEMSITE_EMBEDDING = env.choice("MEMSITE_EMBEDDING", ("local", "tokens", "openai"), "local")
MEMSITE_EMBEDDING_BUDGET_MS = env.integer("MEMSITE_EMBEDDING_BUDGET_MS", 30, maximum=10_000)
MEMSITE_EMBEDDING_MODEL = env.text("MEMSITE_EMBEDDING_MODEL")
OPENAI_BASE_URL = env.text("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
OPENAI_API_KEY = env.secret("OPENAI_API_KEY")
MEMSITE_EMBEDDING_BASE_URL = env.text("MEMSITE_EMBEDDING_BASE_URL", OPENAI_BASE_URL).rstrip("/")
MEMSITE_MODEL_TIMEOUT = env.number("MEMSITE_MODEL_TIMEOUT", 30.0, minimum=0.1, maximum=600.0)
MEMSITE_MODEL_FAST = env.text("MEMSITE_MODEL_FAST")
MEMSITE_MODEL_PRIMARY = env.text("MEMSITE_MODEL_PRIMARY")
MEMSITE_MODEL_WINDOW = env.integer("MEMSITE_MODEL_WINDOW", 32_000, minimum=1_000, maximum=100_000_000)
MEMSITE_MODEL_BREAKER = env.flag("MEMSITE_MODEL_BREAKER", default=True)
MEMSITE_MODEL_DAILY_TOKENS = env.integer("MEMSITE_MODEL_DAILY_TOKENS", 0)
MEMSITE_MODEL_PRICES = env.prices("MEMSITE_MODEL_PRICES")

# --- Limits on what comes in --------------------------------------------------------------------
MEMSITE_MAX_BODY_MB = env.integer("MEMSITE_MAX_BODY_MB", 32, minimum=1, maximum=1024)
MEMSITE_MAX_IMPORT_MB = env.integer("MEMSITE_MAX_IMPORT_MB", 2048, minimum=1, maximum=16_384)
MEMSITE_BATCH_CHARACTERS = env.integer("MEMSITE_BATCH_CHARACTERS", 1_000_000, minimum=20_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = MEMSITE_MAX_BODY_MB * 1024 * 1024

# --- Django ---------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "corsheaders",
    "csp",
    "django_q",
    "oauth2_provider",
    "memsite.accounts",
    "memsite.events",
    "memsite.jobs",
    "memsite.metering",
    "memsite.rest",
    "memsite.serving",
    "memsite.web",
    "memories",
    "threads",
    "porting",
    "evaluation",
]
MIDDLEWARE = [
    "memsite.serving.observability.RequestLogMiddleware",
    "memsite.edge.cookies.SecureCookiesMiddleware",  # before any that sets a cookie
    "corsheaders.middleware.CorsMiddleware",  # before any that may answer by itself
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "memsite.web.caching.NoStoreMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memsite.web.errors.ErrorPageMiddleware",
    "memsite.edge.owner.OwnerMiddleware",
    "memsite.edge.rate_limit.RateLimitMiddleware",
]
ROOT_URLCONF = "memsite.urls"
ASGI_APPLICATION = "memsite.asgi.application"
WSGI_APPLICATION = "memsite.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "memsite.web.layout.context_processors.site",
            ],
            "builtins": ["memsite.web.templatetags.quick_tags"],
            "libraries": {"i18n": "memsite.web.templatetags.quick_tags"},
        },
    },
]

_PROCESS = env.text("MEMSITE_PROCESS")
DATABASES = build_databases(
    MEMSITE_DATA_DIR,
    DATABASE_URL,
    pooled=_PROCESS == "web",
    statement_seconds=STATEMENT_SECONDS.get(_PROCESS, 0),
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# allauth's rate limits must be seen by every process: a cache in the database, not in one process.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "memsite_cache",
        # Past so many entries some are dropped, limits of sign-in among them: a flood must not reach it.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "memsite.accounts.signing.adapter.AccountAdapter"
SOCIALACCOUNT_ADAPTER = "memsite.accounts.signing.adapter.SocialAccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_FORMS = {"login": "memsite.accounts.signing.forms.SignInForm"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional" if MEMSITE_SMTP_URL else "none"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "memsite.accounts.signing.mfa.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
SOCIALACCOUNT_PROVIDERS = (
    {
        "openid_connect": {
            "APPS": [
                {
                    "provider_id": "oidc",
                    "name": MEMSITE_OIDC_NAME,
                    "client_id": MEMSITE_OIDC_CLIENT_ID,
                    "secret": MEMSITE_OIDC_SECRET,
                    "settings": {"server_url": MEMSITE_OIDC_URL},
                }
            ]
        }
    }
    if MEMSITE_OIDC_URL
    else {}
)

EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend"
    if MEMSITE_SMTP_URL
    else "django.core.mail.backends.console.EmailBackend"
)
EMAIL_TIMEOUT = 10  # seconds; without one a mail server that hangs holds a web thread for good
DEFAULT_FROM_EMAIL = MEMSITE_EMAIL_FROM
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Memsite] "  # allauth would put the host and port there
globals().update(env.smtp("MEMSITE_SMTP_URL") if MEMSITE_SMTP_URL else {})

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = MEMSITE_DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG

# --- Security -------------------------------------------------------------------------------------
_HTTPS = MEMSITE_BASE_URL.startswith("https://")
CSRF_FAILURE_VIEW = "memsite.web.errors.csrf_failure"
CSRF_TRUSTED_ORIGINS = list(dict.fromkeys([MEMSITE_BASE_URL, MEMSITE_PUBLIC_URL]))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _HTTPS
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if _HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],  # data: is how the second factor's QR code comes
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# --- Programs that sign in by OAuth --------------------------------------------------------------
OAUTH2_PROVIDER = {
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",  # codes and refresh tokens, nothing else
    "OAUTH2_VALIDATOR_CLASS": "memsite.accounts.oauth.validator.Validator",
    "SCOPES": {"read": "read", "write": "write"},
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 86_400,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    # http is for loopback addresses alone, which memsite.accounts.oauth.clients checks.
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http", "cursor"],
    "ALLOW_LOCALHOST_LOOPBACK": True,
    "CIMD_ENABLED": True,
    "CIMD_METADATA_FETCHER": "memsite.accounts.oauth.clients.DocumentFetcher",
    "CIMD_REGISTRATION_PERMISSION_CLASSES": ["memsite.accounts.oauth.clients.DocumentPermission"],
    "CIMD_MAX_CONCURRENT_FETCHES": 3,  # of the eight threads of a web process
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING": True,
    "COMPLIANT_BCP_RFC9700_PKCE_REQUIRED": True,
    "OIDC_ISS_ENDPOINT": MEMSITE_PUBLIC_URL,
}
OAUTH2_PROVIDER_APPLICATION_MODEL = "oauth2_provider.Application"  # for migrations that refer to it

# --- Development ------------------------------------------------------------------------------------
if env.flag("MEMSITE_DEBUG_TOOLBAR", default=False):
    INSTALLED_APPS.append("debug_toolbar")
    # Before the sessions: it needs none, and adds itself to the finished page.
    MIDDLEWARE.insert(
        MIDDLEWARE.index("csp.middleware.CSPMiddleware"), "debug_toolbar.middleware.DebugToolbarMiddleware"
    )
    INTERNAL_IPS = ["127.0.0.1", "::1"]
    # Each process keeps what it measured in its own memory, so a later request could ask another one.
    DEBUG_TOOLBAR_CONFIG = {"RENDER_PANELS": True}

# --- API ------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "memsite.accounts.authentication.ApiKeyAuthentication",
        "memsite.accounts.authentication.SiteSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["memsite.rest.permissions.HasScope"],
    "DEFAULT_PARSER_CLASSES": ["memsite.rest.parsing.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["memsite.rest.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "memsite.rest.errors.handle_exception",
    "UNAUTHENTICATED_USER": None,
}
# Browsers of other origins call with a key. Cookies are not allowed, so no session can be used from there.
CORS_ALLOWED_ORIGINS = MEMSITE_CORS_ORIGINS
CORS_URLS_REGEX = r"^/(?:api|v1|mcp)(?:/|$)"
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "memsite-user",
    "x-request-id",
]
CORS_EXPOSE_HEADERS = ["etag", "memsite-owner", "retry-after", "www-authenticate", "x-request-id"]
SPECTACULAR_SETTINGS = {
    "TITLE": "Memsite",
    "DESCRIPTION": "A memory service for AI chat: threads, memories, recall and the context that joins them.",
    "VERSION": "0.1.0",
    "OAS_VERSION": "3.1.0",  # pydantic writes null as 3.1 does
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_PATCH": False,  # our bodies of PATCH are models of their own
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "LayerEnum": ["episodic", "semantic", "procedural"],
        "MessageRoleEnum": ["system", "user", "assistant", "tool"],
        "GivenRoleEnum": ["user", "assistant"],
        "CitationRoleEnum": ["recalled", "respected"],
        "OutcomeStatusEnum": ["done", "failed"],
        "MemoryStatusEnum": ["pending", "active", "disputed", "deprecated", "forgotten"],
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "memsite.rest.openapi.describe_failures",
    ],
}

# --- Logs -----------------------------------------------------------------------------------------
MEMSITE_LOG_FORMAT = env.choice("MEMSITE_LOG_FORMAT", ("json", "text"), "json")
MEMSITE_LOG_LEVEL = env.choice("MEMSITE_LOG_LEVEL", ("debug", "info", "warning", "error"), "info")
LOGGING_CONFIG = None
logging_config(MEMSITE_LOG_FORMAT, MEMSITE_LOG_LEVEL)
# http redirects are allowed for loopback addresses alone (RFC 8252), see OAUTH2_PROVIDER.
# `i18n` is another library on purpose, see memsite.web.templatetags.quick_tags.
SILENCED_SYSTEM_CHECKS: list[str] = ["oauth2_provider.W008", "templates.W003"]
