#!/bin/sh
# JWK Sets in Python: one key of a type that the library does not know makes three libraries fail for all other keys.
#
# Version:   PyJWT 2.15.1, Authlib 1.9.10, joserfc 1.8.0, python-jose 3.5.0, jwcrypto 1.6.1
# Date:      2026-11-28
# Behaviour: The set has an RSA key, which signed the token and is named by its `kid`, and one other key before it. With
#            a post-quantum key (`kty` AKP), Authlib raises a KeyError and python-jose a JWKError. With an EC key on a
#            brainpool curve, joserfc raises a KeyError and python-jose a JWKError. PyJWT and jwcrypto verify the token
#            in both cases.
# Guess:     All verify it: RFC 7517 §5 says to ignore keys of a set whose `kty` is not understood, or whose values are
#            out of the supported ranges.
# Matters:   A server that publishes an additional key of a new kind, before it signs anything with it, locks clients
#            out.
#
# Usage: sh jwks-unknown-key-type.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> RSA and AKP
#>   PyJWT: valid
#>   Authlib: KeyError: 'AKP'
#>   joserfc: valid
#>   python-jose: JWKError: Incorrect key type. Expected: 'RSA', Received: AKP
#>   jwcrypto: valid
#> RSA and brainpool
#>   PyJWT: valid
#>   Authlib: valid
#>   joserfc: KeyError: 'BP-256'
#>   python-jose: JWKError: Incorrect key type. Expected: 'RSA', Received: EC
#>   jwcrypto: valid
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet PyJWT==2.15.1 Authlib==1.9.10 joserfc==1.8.0 python-jose==3.5.0 jwcrypto==1.6.1 || exit 2

cat > show.py <<'SCRIPT'
import json

import jwt
from authlib.jose import JsonWebKey
from authlib.jose import jwt as authlib
from jose import jwt as python_jose
from joserfc import jwk
from joserfc import jwt as joserfc
from jwcrypto.jwk import JWKSet
from jwcrypto.jwt import JWT

rsa = jwk.RSAKey.generate_key(2048, {"kid": "rsa", "use": "sig", "alg": "RS256"})
token = joserfc.encode({"alg": "RS256", "kid": "rsa"}, {"sub": "alice"}, rsa)
others = {
    "AKP": {"kty": "AKP", "alg": "ML-DSA-44", "kid": "other", "pub": "AAAA"},
    "brainpool": {"kty": "EC", "crv": "BP-256", "kid": "other", "x": "AAAA", "y": "AAAA"},
}
for kind, other in others.items():
    keys = {"keys": [other, rsa.as_dict(private=False)]}
    print(f"RSA and {kind}")
    for name, verify in {
        "PyJWT": lambda: jwt.decode(token, jwt.PyJWKSet.from_dict(keys)["rsa"], algorithms=["RS256"]),
        "Authlib": lambda: authlib.decode(token, JsonWebKey.import_key_set(keys)),
        "joserfc": lambda: joserfc.decode(token, jwk.KeySet.import_key_set(keys), algorithms=["RS256"]),
        "python-jose": lambda: python_jose.decode(token, keys, algorithms=["RS256"]),
        "jwcrypto": lambda: JWT(jwt=token, key=JWKSet.from_json(json.dumps(keys))),
    }.items():
        try:
            verify()
            print(f"  {name}: valid")
        except Exception as error:
            print(f"  {name}: {type(error).__name__}: {error}")
SCRIPT
venv/bin/python show.py > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
