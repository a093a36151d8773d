#!/bin/sh
# fastmcp: it fetches the authorization page before the browser does, and takes each 400 for an unknown client.
#
# Version:   fastmcp 4.2.3 (with mcp 2.3.0)
# Date:      2026-11-29
# Behaviour: The authorization server accepts the client, but no redirect URI with `localhost` (RFC 8252 §8.3 advises
#            against them), which is the default of fastmcp. Its answer is 400 with a description. The browser is not
#            opened, and the error is about the client's credentials. A client that registers itself does so twice.
#            With `callback_host="127.0.0.1"` the same client id works, and the page is fetched twice: without the
#            cookies of the browser, then by the browser.
# Guess:     Only the browser opens the page, and the person reads there what is wrong: the server "SHOULD inform the
#            resource owner of the error" (RFC 6749 §4.1.2.1). Or the error has the server's status and description.
# Matters:   One looks for the mistake in a client id that is right. A server counts two authorization requests for one
#            sign-in, and has one client too many after a failure.
#
# Usage: sh fastmcp-authorization-error.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> a client id, 127.0.0.1
#>   fastmcp: authorization of client-0, 127.0.0.1: 302
#>   browser: authorization of client-0, 127.0.0.1: 302
#>   tools: 0
#> a client id
#>   fastmcp: authorization of client-0, localhost: 400
#>   Client failed to connect: OAuth server rejected the static client credentials
#> registers itself
#>   fastmcp: registration of client-1
#>   fastmcp: authorization of client-1, localhost: 400
#>   fastmcp: registration of client-2
#>   fastmcp: authorization of client-2, localhost: 400
#>   Client failed to connect: OAuth client not found - cached credentials may be stale
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet fastmcp==4.2.3 mcp==2.3.0 || exit 2

cat > show.py <<'SCRIPT'
import asyncio
import http.client
import json
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from fastmcp import Client
from fastmcp.client.auth import OAuth

registrations = 0
common = {"capabilities": {"tools": {}}, "serverInfo": {"name": "server", "version": "1.0.0"}}
results = {
    "server/discover": {"resultType": "complete", "supportedVersions": ["2026-07-28"], **common},
    "initialize": {"protocolVersion": "2025-11-25", **common},
    "tools/list": {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"},
}


class Service(BaseHTTPRequestHandler):
    """The authorization server and the MCP server. It refuses redirect URIs with `localhost`."""

    def answer(self, status, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": len(data), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/.well-known/oauth-protected-resource/mcp":
            self.answer(200, {"resource": f"{origin}/mcp", "authorization_servers": [origin]})
        elif path == "/.well-known/oauth-authorization-server":
            urls = {f"{name}_endpoint": f"{origin}/{name}" for name in ("authorization", "token", "registration")}
            code = {"response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}
            self.answer(200, {"issuer": origin, **urls, **code})
        elif path == "/authorization":
            self.authorize({name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()})
        else:
            self.answer(405 if path == "/mcp" else 404)

    def authorize(self, query):
        callback = urlsplit(query["redirect_uri"])
        status = 400 if callback.hostname == "localhost" else 302
        agent = self.headers["User-Agent"] if self.headers["User-Agent"] == "browser" else "fastmcp"
        print(f"  {agent}: authorization of {query['client_id']}, {callback.hostname}: {status}")
        if status == 400:
            self.answer(400, {"error": "invalid_request", "error_description": "redirect_uri must not be localhost"})
        else:
            self.answer(302, Location=f"{callback.geturl()}?{urlencode({'code': 'code', 'state': query['state']})}")

    def do_POST(self):
        global registrations
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/registration":
            registrations += 1
            print(f"  fastmcp: registration of client-{registrations}")
            self.answer(201, {**json.loads(body), "client_id": f"client-{registrations}"})
        elif self.path == "/token":
            self.answer(200, {"access_token": "token", "token_type": "Bearer", "expires_in": 3600})
        elif "Authorization" not in self.headers:
            self.answer(401, WWW_Authenticate="Bearer")
        else:
            message = json.loads(body)
            if "id" in message:
                self.answer(200, {"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]})
            else:
                self.answer(202)

    def log_message(self, *_):
        pass


def browse(url):
    """Visits the authorization page once, then the callback as soon as the client listens."""
    page = urlsplit(url)
    connection = http.client.HTTPConnection(page.netloc)
    connection.request("GET", f"{page.path}?{page.query}", headers={"User-Agent": "browser"})
    callback = connection.getresponse().headers["Location"]
    for _ in range(100):
        try:
            return urllib.request.urlopen(callback).read()
        except urllib.error.URLError:
            time.sleep(0.1)


async def sign_in(case, **options):
    print(case)
    try:
        async with Client(f"{origin}/mcp", auth=OAuth(**options)) as client:
            print(f"  tools: {len(await client.list_tools())}")
    except RuntimeError as error:
        print(f"  {str(error).split('. ')[0]}")


async def show():
    await sign_in("a client id, 127.0.0.1", client_id="client-0", callback_host="127.0.0.1")
    await sign_in("a client id", client_id="client-0")
    await sign_in("registers itself")


webbrowser.open = lambda url: threading.Thread(target=browse, args=[url], daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
origin = f"http://127.0.0.1:{server.server_port}"
threading.Thread(target=server.serve_forever, daemon=True).start()
asyncio.run(show())
SCRIPT
venv/bin/python show.py > seen 2> log || { cat log >&2; exit 2; }

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
