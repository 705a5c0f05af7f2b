"""What a request leaves in the log."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize("address", ["/accounts/password/reset/key/{}/", "/accounts/confirm-email/{}/"])
@pytest.mark.django_db
def test_proof_in_an_address_is_not_logged(
    client: Client, address: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    client.get(address.format("4fz-c0ffee-proof"))
    assert "c0ffee" not in caplog.text + capsys.readouterr().err
    assert "request" in caplog.text
