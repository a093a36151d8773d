#!/bin/sh
# requests-oauthlib: if the server grants fewer scopes than asked for, fetching the token raises a Warning, and loses
# it.
#
# Version:   requests-oauthlib 2.0.0, oauthlib 4.0.1, Authlib 1.9.10
# Date:      2026-11-28
# Behaviour: The client asks for `read write`, and the server answers with a token for `read`. requests-oauthlib raises
#            an exception of the class Warning, which no filter of the module warnings catches; the session has no token
#            after it, though the server has issued one. Authlib returns the token. The order of scopes is no change to
#            either.
# Guess:     A token for `read`. The server may grant less, and then says so with `scope` (RFC 6749 §3.3, §5.1).
# Matters:   A user who unticks a permission on the page for consent cannot sign in at all, and the code is used up. The
#            way out is the environment variable OAUTHLIB_RELAX_TOKEN_SCOPE, which holds for the whole process.
#
# Usage: sh oauthlib-narrower-scope.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> asked for: read write, granted: write read
#>   requests-oauthlib: token 't'
#>   Authlib: token 't'
#> asked for: read write, granted: read
#>   requests-oauthlib: Warning: Scope has changed from "read write" to "read". Token: None
#>   Authlib: token 't'
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet requests-oauthlib==2.0.0 oauthlib==4.0.1 Authlib==1.9.10 || exit 2

cat > show.py <<'SCRIPT'
import json
import os
import threading
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer

from authlib.integrations.requests_client import OAuth2Session as Authlib
from requests_oauthlib import OAuth2Session

answer = {}


class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Endpoint)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
warnings.simplefilter("ignore")
url = f"http://127.0.0.1:{server.server_port}/token"
for scope in ("write read", "read"):
    answer = {"access_token": "t", "token_type": "bearer", "scope": scope}
    print(f"asked for: read write, granted: {scope}")
    for name, session in (
        ("requests-oauthlib", OAuth2Session("app", scope=["read", "write"], redirect_uri="https://app.example/")),
        ("Authlib", Authlib("app", "secret", scope="read write", redirect_uri="https://app.example/")),
    ):
        try:
            session.fetch_token(url, code="abc", include_client_id=True)
            print(f"  {name}: token {session.token['access_token']!r}")
        except Warning as error:
            print(f"  {name}: {type(error).__name__}: {error} Token: {session.token.get('access_token')}")
SCRIPT
venv/bin/python show.py > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
