#!/bin/sh
# HTTP Basic with client credentials: OAuth clients encode the same id and secret in different ways, or not at all.
#
# Version:   oauth4webapi 3.8.8, requests-oauthlib 2.0.0, Authlib 1.9.10
# Date:      2026-11-28
# Behaviour: The id is `my-app.1` and the secret `a+b/50%25`. requests-oauthlib and Authlib put both into Basic as they
#            are. oauth4webapi encodes them, and also `-` and `.`, which forms leave alone, so that even plain ids
#            differ.
# Guess:     One form: RFC 6749 §2.3.1 says that id and secret are encoded with `application/x-www-form-urlencoded`
#            first.
# Matters:   A server that decodes reads `a b/50%` from the Python clients; a server that does not decode refuses
#            oauth4webapi for each id with a hyphen, a UUID for instance. Servers can avoid both with secrets from
#            letters and digits.
#
# Usage: sh oauth-basic-credentials.sh    (needs npm, Node and Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> requests-oauthlib
#>   my-app.1:a+b/50%25
#> Authlib
#>   my-app.1:a+b/50%25
#> oauth4webapi
#>   my%2Dapp%2E1:a%2Bb%2F50%2525
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact oauth4webapi@3.8.8 || exit 2
python3 -m venv venv
venv/bin/pip install --quiet requests-oauthlib==2.0.0 Authlib==1.9.10 || exit 2

cat > show.js <<'SCRIPT'
import * as oauth from 'oauth4webapi';

const server = { issuer: 'http://127.0.0.1', token_endpoint: process.argv[2] };
const authenticate = oauth.ClientSecretBasic(process.argv[4]);
const options = { [oauth.allowInsecureRequests]: true };
await oauth.clientCredentialsGrantRequest(server, { client_id: process.argv[3] }, authenticate, {}, options);
SCRIPT
cat > show.py <<'SCRIPT'
import base64
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from authlib.integrations.requests_client import OAuth2Session as Authlib
from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session


class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        print(f"  {base64.b64decode(self.headers['authorization'][6:]).decode()}", flush=True)
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"access_token":"t","token_type":"bearer"}')

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Endpoint)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
url = f"http://127.0.0.1:{server.server_port}/token"
name, secret = "my-app.1", "a+b/50%25"
print("requests-oauthlib", flush=True)
OAuth2Session(client=BackendApplicationClient(name)).fetch_token(url, client_id=name, client_secret=secret)
print("Authlib", flush=True)
Authlib(name, secret).fetch_token(url, grant_type="client_credentials")
print("oauth4webapi", flush=True)
subprocess.run(["node", "show.js", url, name, secret], check=True)
SCRIPT
venv/bin/python show.py > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
