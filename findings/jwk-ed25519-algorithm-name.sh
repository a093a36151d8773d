#!/bin/sh
# JWKs in Python: PyJWT drops an Ed25519 key whose `alg` is `Ed25519`, and says that `cryptography` may be missing.
#
# Version:   PyJWT 2.15.1, joserfc 1.8.0, jwcrypto 1.6.1
# Date:      2026-11-28
# Behaviour: An Ed25519 key is offered with `alg: EdDSA`, with `alg: Ed25519` and without `alg`; the token has the
#            algorithm `EdDSA` in the first case and `Ed25519` in the others. joserfc and jwcrypto verify all three
#            tokens. PyJWT verifies the first only: for the second it finds no usable key in the set, for the third it
#            says that the algorithms differ.
# Guess:     All verify: RFC 9864 registers `Ed25519` for the same signature, and deprecates the name `EdDSA`.
# Matters:   A server that follows RFC 9864 locks out clients with PyJWT, and the message sends their authors to another
#            cause.
#
# Usage: sh jwk-ed25519-algorithm-name.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> key: EdDSA, token: EdDSA
#>   PyJWT: valid
#>   joserfc: valid
#>   jwcrypto: valid
#> key: Ed25519, token: Ed25519
#>   PyJWT: PyJWKSetError: The JWK Set did not contain any usable keys. Perhaps 'cryptography' is not installed?
#>   joserfc: valid
#>   jwcrypto: valid
#> key: None, token: Ed25519
#>   PyJWT: InvalidAlgorithmError: Token algorithm 'Ed25519' does not match the key's algorithm 'EdDSA'
#>   joserfc: valid
#>   jwcrypto: valid
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet 'PyJWT[crypto]==2.15.1' joserfc==1.8.0 jwcrypto==1.6.1 || exit 2

cat > show.py <<'SCRIPT'
import json
import warnings

import jwt
from joserfc import jwk
from joserfc import jwt as joserfc
from jwcrypto.jwk import JWKSet
from jwcrypto.jwt import JWT

warnings.simplefilter("ignore")
key = jwk.OKPKey.generate_key("Ed25519", {"kid": "one", "use": "sig"})
for in_key, in_token in (("EdDSA", "EdDSA"), ("Ed25519", "Ed25519"), (None, "Ed25519")):
    token = joserfc.encode({"alg": in_token, "kid": "one"}, {"sub": "alice"}, key, algorithms=[in_token])
    public = key.as_dict(private=False)
    if in_key:
        public["alg"] = in_key
    keys = {"keys": [public]}
    print(f"key: {in_key}, token: {in_token}")
    for name, verify in {
        "PyJWT": lambda: jwt.decode(token, jwt.PyJWKSet.from_dict(keys)["one"], algorithms=[in_token]),
        "joserfc": lambda: joserfc.decode(token, jwk.KeySet.import_key_set(keys), algorithms=[in_token]),
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
