"""Verifies an access token in Python, and whether it was revoked. Needs: pip install 'pyjwt[crypto]'"""

import base64
import os
import time
import urllib.request
import zlib

import jwt

ISSUER = os.environ.get("ISSUER", "http://localhost:3000")
AUDIENCE = os.environ["AUDIENCE"]  # the identifier of your API

keys = jwt.PyJWKClient(f"{ISSUER}/oauth/jwks")
lists: dict[str, tuple[float, bytes]] = {}
rules: dict[tuple[str, object], dict] = {}


def verify(token: str, kind: str = "at+jwt", audience: str | None = AUDIENCE) -> dict:
    """Returns the claims. Raises jwt.PyJWTError if the token is not valid for this API."""
    if jwt.get_unverified_header(token).get("typ") != kind:  # an ID token is no access token (RFC 9068 §4)
        raise jwt.InvalidTokenError(f"typ must be {kind}")
    required = ["exp", "iat", "iss", "aud", "sub", "client_id", "jti"] if kind == "at+jwt" else ["iat", "iss"]
    return jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token),
        algorithms=["ES256"],  # or RS256, as your API has chosen
        issuer=ISSUER,
        audience=audience,
        options={"require": required, "verify_aud": audience is not None},
    )


def is_in_list(claims: dict) -> bool:
    """Whether the status list says that the token is revoked. The list is fetched once in some seconds."""
    uri, idx = claims["status"]["status_list"]["uri"], claims["status"]["status_list"]["idx"]
    until, bits = lists.get(uri, (0.0, b""))
    if until < time.monotonic():
        with urllib.request.urlopen(uri, timeout=5) as response:
            listed = verify(response.read().decode(), "statuslist+jwt", None)
        if listed["sub"] != uri:
            raise jwt.InvalidTokenError("another list")
        lst = listed["status_list"]["lst"]
        bits = zlib.decompress(base64.urlsafe_b64decode(lst + "=" * (-len(lst) % 4)))
        lists[uri] = (time.monotonic() + listed["ttl"], bits)
    return (bits[idx >> 3] >> (idx & 7)) & 1 == 1


def receive(event: str) -> None:
    """Takes a security event token, the body of a request to your endpoint. Answer 202, or 400 if this raises."""
    for said in verify(event, "secevent+jwt")["events"].values():
        if "tokens" in said:  # keep it for an hour, as long as tokens live
            rules[said["tokens"]["claim"], said["tokens"]["value"]] = said["tokens"]


def is_revoked_by_event(claims: dict) -> bool:
    """Whether an event has revoked the token."""
    found = (rules.get((claim, claims.get(claim))) for claim in ("acct", "client_id", "gid", "ch", "jti", "rs"))
    return any(rule and ("epoch" not in rule or claims[rule["epoch"]] < rule["below"]) for rule in found)


if "EVENT" in os.environ:
    receive(os.environ["EVENT"])
claims = verify(os.environ["TOKEN"])
if is_revoked_by_event(claims):
    raise SystemExit("revoked by an event")
if is_in_list(claims):
    raise SystemExit("revoked in the list")
print(claims["sub"], claims["client_id"], claims.get("scope", ""))
