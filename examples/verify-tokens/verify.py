"""Verifies an access token in Python. Needs: pip install 'pyjwt[crypto]'"""

import os

import jwt

ISSUER = os.environ.get("ISSUER", "http://localhost:3000")
AUDIENCE = os.environ["AUDIENCE"]  # the identifier of your API

keys = jwt.PyJWKClient(f"{ISSUER}/oauth/jwks")


def verify(token: str) -> dict:
    """Returns the claims. Raises jwt.PyJWTError if the token is not valid for this API."""
    if jwt.get_unverified_header(token).get("typ") != "at+jwt":  # an ID token is no access token (RFC 9068 §4)
        raise jwt.InvalidTokenError("typ must be at+jwt")
    return jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token),
        algorithms=["ES256"],  # or RS256, as your API has chosen
        issuer=ISSUER,
        audience=AUDIENCE,
        options={"require": ["exp", "iat", "iss", "aud", "sub", "client_id", "jti"]},
    )


claims = verify(os.environ["TOKEN"])
print(claims["sub"], claims["client_id"], claims.get("scope", ""))
