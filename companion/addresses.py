"""Network addresses as people type them, and the part of them that may be shown: never a password.

A password in an address should be percent-encoded, but few people know that.
``http://anna:pa/ss@camera/video`` is understood as it was meant; only
``http://…camera/video`` is ever shown.
"""

from __future__ import annotations

import re
import urllib.parse
from dataclasses import dataclass, field
from typing import Final

CUT: Final = "…"
# Of a longer scheme the end is enough; without a limit a long run of letters costs its length squared.
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]{0,30}://\S+")
_SECRETS: Final = "pass|pwd|token|key|secret|auth|usr|user|login|account|session|sid"
_SECRET_VALUE: Final = re.compile(rf"([?&;][^=&;#]*(?:{_SECRETS})[^=&;#]*=)[^&;#]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """An address with its secrets apart.

    Attributes:
        url: the address without name and password.
        host: in lower case, without the brackets of IPv6.
        port: as given, else the scheme's own; 0 if it has none.
        user, password: decoded; None if none is given.
    """

    url: str
    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def parse_address(text: str) -> Address:
    """Return what an address says; raises ValueError if it has no host or no sensible port."""
    scheme, _, rest = text.strip().partition("://")
    named, at, place = _split(rest)
    url = f"{scheme}://{place}"
    parts = urllib.parse.urlsplit(url)
    if not parts.hostname:
        raise ValueError("the address has no host")
    user, colon, password = named.partition(":")
    return Address(
        url=url,
        scheme=parts.scheme,
        host=parts.hostname,
        port=parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0),
        user=urllib.parse.unquote(user) if at else None,
        password=urllib.parse.unquote(password) if colon else None,
    )


def plain(text: str) -> str:
    """Return an address without what is secret in it; a doubt hides too much rather than too little."""
    scheme, colon, rest = text.partition("://")
    if not colon:
        return text
    before, at, place = rest.rpartition("@")
    shown = CUT if at and set(before) & set("/?#") else ""
    return f"{scheme}://{shown}" + _SECRET_VALUE.sub(rf"\g<1>{CUT}", place)


def hidden(text: str) -> str:
    """Return a text with every address in it made `plain`."""
    return _ADDRESS.sub(lambda found: plain(found[0]), text)


def _split(rest: str) -> tuple[str, str, str]:
    """Return name and password, "@" where there are any, and the rest from the host on."""
    head = re.split("[/?#]", rest, maxsplit=1)[0]
    if "@" in head:
        named, at, _ = head.rpartition("@")
        return named, at, rest[len(named) + 1 :]
    _, colon, port = head.rpartition(":")
    if colon and not head.endswith("]") and not port.isdigit() and "@" in rest:  # a password with a slash
        return rest.rpartition("@")
    return "", "", rest
