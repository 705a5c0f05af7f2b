"""The site as plain WSGI, for servers without ASGI: no streams (see `memsite.asgi`)."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")

application = get_wsgi_application()
