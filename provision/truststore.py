"""The certificates that the system trusts, in the form that Java reads.

Where a network has a certificate authority of its own, the system and pip are told about it, but a
Java that was just installed is not: Maven then refuses every connection.
"""

from __future__ import annotations

import hashlib
import os
import ssl
import struct
from collections.abc import Mapping
from pathlib import Path

PASSWORD = "changeit"
_BEGIN, _END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"


def bundle(env: Mapping[str, str]) -> Path | None:
    """The file of certificates in use here."""
    default = ssl.get_default_verify_paths().cafile
    named = (env.get("SSL_CERT_FILE"), env.get("PIP_CERT"), default)
    places = [*named, "/etc/ssl/certs/ca-certificates.crt"]
    return next((Path(place) for place in places if place and Path(place).is_file()), None)


def certificates(text: str) -> list[bytes]:
    """The certificates of a file in text form, in binary form."""
    blocks = [part.partition(_END)[0] for part in text.split(_BEGIN)[1:]]
    return [ssl.PEM_cert_to_DER_cert(f"{_BEGIN}{block}{_END}\n") for block in blocks]


def keystore(trusted: list[bytes]) -> bytes:
    """A Java key store (JKS, version 2) of trusted certificates."""
    data = struct.pack(">III", 0xFEEDFEED, 2, len(trusted))
    for number, certificate in enumerate(trusted):
        data += struct.pack(">I", 2) + _text(f"ca{number}") + struct.pack(">Q", 0)
        data += _text("X.509") + struct.pack(">I", len(certificate)) + certificate
    salt = PASSWORD.encode("utf-16-be") + b"Mighty Aphrodite"
    return data + hashlib.sha1(salt + data).digest()


def maven_options(folder: Path) -> str | None:
    """Options that make Maven trust what the system trusts; writes the store into `folder`."""
    found = bundle(os.environ)
    if found is None:
        return None
    store = folder / "trusted.jks"
    store.write_bytes(keystore(certificates(found.read_text(encoding="utf-8"))))
    return f"-Djavax.net.ssl.trustStore={store} -Djavax.net.ssl.trustStorePassword={PASSWORD}"


def _text(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack(">H", len(encoded)) + encoded
