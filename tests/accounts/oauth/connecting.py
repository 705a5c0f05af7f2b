"""A program that connects by OAuth, as far as it has to go; and a server of programs' documents."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client

SITE = "https://memory.example.org"
RESOURCE = f"{SITE}/mcp"
#: RFC 7636, appendix B.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
CALLBACK = "https://claude.example/api/mcp/auth_callback"


@dataclass
class Program:
    """A program: its registration, and the browser of the person who uses it."""

    client_id: str
    browser: Client
    redirect_uri: str = CALLBACK
    backend: Client = field(default_factory=Client)

    def ask(self, **changes: Any) -> str:
        """Return the address to which the program sends its person; None removes a parameter."""
        parameters: dict[str, Any] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": RESOURCE,
            "state": "s t/1",
        } | changes
        present = {name: value for name, value in parameters.items() if value is not None}
        return f"/oauth/authorize?{urlencode(present, doseq=True)}"

    def answer(self, *, answer: str = "allow", read_only: str = "", **changes: Any) -> dict[str, str]:
        """Answer for the person. Return what the program's callback is sent."""
        response: Any = self.browser.post(self.ask(**changes), {"answer": answer, "read_only": read_only})
        assert response.status_code == 302, response.content.decode()
        assert response["Location"].startswith(changes.get("redirect_uri", self.redirect_uri))
        return {name: values[0] for name, values in parse_qs(urlsplit(response["Location"]).query).items()}

    def redeem(self, code: str, **changes: Any) -> Any:
        """Exchange a code for tokens."""
        return self.post(
            grant_type="authorization_code",
            code=code,
            redirect_uri=changes.pop("redirect_uri", self.redirect_uri),
            code_verifier=changes.pop("code_verifier", VERIFIER),
            **changes,
        )

    def refresh(self, refresh_token: str, **changes: Any) -> Any:
        return self.post(grant_type="refresh_token", refresh_token=refresh_token, **changes)

    def post(self, **parameters: Any) -> Any:
        present = {"client_id": self.client_id} | parameters
        return self.backend.post("/oauth/token", present)

    def connect(self, *, read_only: str = "", **changes: Any) -> dict[str, Any]:
        """Go the whole way. Return the answer of the token endpoint."""
        response = self.redeem(self.answer(read_only=read_only, **changes)["code"])
        assert response.status_code == 200, response.content.decode()
        tokens: dict[str, Any] = response.json()
        return tokens


def register(**changes: Any) -> Any:
    """Register a program that describes itself."""
    metadata = {
        "client_name": "Claude",
        "redirect_uris": [CALLBACK],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    } | changes
    present = {name: value for name, value in metadata.items() if value is not None}
    return Client().post("/oauth/register", present, content_type="application/json")


@dataclass
class DocumentServer:
    """Serves documents over TLS on loopback; `requests` lists the paths that were fetched."""

    origin: str
    documents: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def publish(self, path: str, **document: Any) -> str:
        """Publish a document under its own URL. Return that URL: the client id."""
        client_id = f"{self.origin}{path}"
        body = json.dumps({"client_id": client_id} | document).encode()
        self.documents[path] = (200, "application/json", body)
        return client_id


@contextmanager
def serve_documents(certificate: Path) -> Iterator[DocumentServer]:
    """Serve documents within the block, with this certificate and its key."""
    found: list[DocumentServer] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found[0].requests.append(self.path)
            status, kind, body = found[0].documents.get(self.path, (404, "text/plain", b"none"))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if status == 302:
                self.send_header("Location", body.decode())
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    host = f"localhost:{server.server_address[1]}"
    found.append(DocumentServer(f"https://{host}"))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield found[0]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def make_certificate(folder: Path) -> Path:
    """Write a certificate for this machine, with its key. Return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + secret)
    return file
