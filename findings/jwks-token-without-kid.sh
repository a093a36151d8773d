#!/bin/sh
# JWK Sets in Python: PyJWKClient verifies no token without `kid`, and reads no set without `kid`; others take the only
# key.
#
# Version:   PyJWT 2.15.1, joserfc 1.8.0, jwcrypto 1.6.1
# Date:      2026-11-28
# Behaviour: The set has one key. If the token has no `kid`, PyJWT's client looks for the key `None` and raises. If the
#            key has none either, the client says that the endpoint has no signing keys at all. joserfc and jwcrypto
#            verify both tokens.
# Guess:     All use the only key: `kid` is optional in tokens (RFC 7515 §4.1.4) and in keys (RFC 7517 §4.5), and an
#            OpenID provider needs it in ID tokens only "if there are multiple keys" (OpenID Connect Core 1.0 §10.1).
# Matters:   A server with one key and no `kid` works in tests with other libraries, and the message points to its key
#            set.
#
# Usage: sh jwks-token-without-kid.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> kid in key and token
#>   PyJWT: valid
#>   joserfc: valid
#>   jwcrypto: valid
#> kid in key only
#>   PyJWT: PyJWKClientError: Unable to find a signing key that matches: "None"
#>   joserfc: valid
#>   jwcrypto: valid
#> kid in nothing
#>   PyJWT: PyJWKClientError: The JWKS endpoint did not contain any signing keys
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
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import jwt
from joserfc import jwk
from joserfc import jwt as joserfc
from jwcrypto.jwk import JWKSet
from jwcrypto.jwt import JWT

keys = {}


class Endpoint(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(keys).encode())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Endpoint)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/jwks"


def with_pyjwt():
    key = jwt.PyJWKClient(url).get_signing_key_from_jwt(token)
    jwt.decode(token, key, algorithms=["RS256"])


for names, in_key, in_token in (("key and token", True, True), ("key only", True, False), ("nothing", False, False)):
    rsa = jwk.RSAKey.generate_key(2048, {"kid": "one", "use": "sig"} if in_key else {"use": "sig"})
    token = joserfc.encode({"alg": "RS256", **({"kid": "one"} if in_token else {})}, {"sub": "alice"}, rsa)
    keys = {"keys": [rsa.as_dict(private=False)]}
    print(f"kid in {names}")
    for name, verify in {
        "PyJWT": with_pyjwt,
        "joserfc": lambda: joserfc.decode(token, jwk.KeySet.import_key_set(keys), algorithms=["RS256"]),
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
