#!/bin/sh
# JWTs in Python: a token that the server issues one minute ahead of the client's clock is invalid to half of the
# libraries.
#
# Version:   PyJWT 2.15.1, Authlib 1.9.10, joserfc 1.8.0, python-jose 3.5.0, jwcrypto 1.6.1
# Date:      2026-11-28
# Behaviour: The token is valid for an hour, has no `nbf`, and its `iat` is 60 s in the future. PyJWT, Authlib and
#            joserfc refuse it. python-jose and jwcrypto accept it.
# Guess:     All accept it: RFC 7519 §4.1.6 defines `iat` to tell the age of a token, and only `nbf` (§4.1.5) forbids
#            its use before a time.
# Matters:   A client signs in a moment after the server issued the ID token. If the clocks differ by two seconds, the
#            first use fails and a retry works. Servers that leave out `nbf` do not help; clients need a leeway.
#
# Usage: sh jwt-issued-in-the-future.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> PyJWT: ImmatureSignatureError: The token is not yet valid (iat)
#> Authlib: InvalidTokenError: invalid_token: The token is not valid as it was issued in the future
#> joserfc: InvalidClaimError: invalid_claim: The token was issued in the future
#> python-jose: valid
#> jwcrypto: valid
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet PyJWT==2.15.1 Authlib==1.9.10 joserfc==1.8.0 python-jose==3.5.0 jwcrypto==1.6.1 || exit 2

cat > show.py <<'SCRIPT'
import base64
import time

import jwt
from authlib.jose import jwt as authlib
from jose import jwt as python_jose
from joserfc import jwk
from joserfc import jwt as joserfc
from jwcrypto.jwk import JWK
from jwcrypto.jwt import JWT

KEY = b"k" * 32
now = int(time.time())
token = jwt.encode({"sub": "alice", "iat": now + 60, "exp": now + 3600}, KEY, algorithm="HS256")


def with_joserfc():
    claims = joserfc.decode(token, jwk.OctKey.import_key(KEY), algorithms=["HS256"]).claims
    joserfc.JWTClaimsRegistry().validate(claims)


for name, verify in {
    "PyJWT": lambda: jwt.decode(token, KEY, algorithms=["HS256"]),
    "Authlib": lambda: authlib.decode(token, KEY).validate(),
    "joserfc": with_joserfc,
    "python-jose": lambda: python_jose.decode(token, KEY, algorithms=["HS256"]),
    "jwcrypto": lambda: JWT(jwt=token, key=JWK(kty="oct", k=base64.urlsafe_b64encode(KEY).decode().rstrip("="))),
}.items():
    try:
        verify()
        print(f"{name}: valid")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
SCRIPT
venv/bin/python show.py > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
