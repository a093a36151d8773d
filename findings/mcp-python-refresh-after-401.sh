#!/bin/sh
# MCP in Python: after a 401 the OAuth client opens the sign-in page, although it has a valid refresh token.
#
# Version:   mcp 2.3.0 (compared with @modelcontextprotocol/client 2.4.0)
# Date:      2026-11-29
# Behaviour: OAuthClientProvider refreshes only before a request, when the time that it has noted for the access token
#            has passed. A 401 always begins an authorization. So a token that the server refuses earlier is not
#            refreshed. After a restart no token is: the provider loads the tokens from the storage, but no time.
#            The client in TypeScript refreshes in all cases.
# Guess:     401, refresh, and the request again. Refresh tokens "are used to obtain a new access token when the current
#            access token becomes invalid or expires" (RFC 6749 §1.5). Only a refused refresh needs the person.
# Matters:   At each start, the person must sign in again if the access token has ended since the last run, whatever
#            the lifetime of the refresh token. The same after each restart of a server that keeps access tokens in
#            memory. A program that runs without a person fails.
# Reported:  modelcontextprotocol/python-sdk, issue 3250
#
# Usage: sh mcp-python-refresh-after-401.sh    (needs Python, npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> mcp
#>   sign-in for an hour
#>     call with no token: 401
#>     sign-in page
#>     token 1: authorization_code
#>     call with Bearer 1: 200
#>   refused within the hour
#>     call with Bearer 1: 401
#>     sign-in page
#>     token 2: authorization_code
#>     call with Bearer 2: 200
#>   sign-in for a second
#>     call with no token: 401
#>     sign-in page
#>     token 3: authorization_code
#>     call with Bearer 3: 200
#>   the second is over
#>     token 4: refresh_token
#>     call with Bearer 4: 200
#>   the second is over, and the client was restarted
#>     call with Bearer 4: 401
#>     sign-in page
#>     token 5: authorization_code
#>     call with Bearer 5: 200
#> @modelcontextprotocol/client
#>   sign-in for an hour
#>     call with no token: 401
#>     sign-in page
#>     token 1: authorization_code
#>     call with Bearer 1: 200
#>   refused within the hour
#>     call with Bearer 1: 401
#>     token 2: refresh_token
#>     call with Bearer 2: 200
#>   sign-in for a second
#>     call with no token: 401
#>     sign-in page
#>     token 3: authorization_code
#>     call with Bearer 3: 200
#>   the second is over
#>     call with Bearer 3: 401
#>     token 4: refresh_token
#>     call with Bearer 4: 200
#>   the second is over, and the client was restarted
#>     call with Bearer 4: 401
#>     token 5: refresh_token
#>     call with Bearer 5: 200
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet mcp==2.3.0 || exit 2
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @modelcontextprotocol/client@2.4.0 || exit 2

cat > client.py <<'SCRIPT'
import asyncio
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

origin = sys.argv[1]
redirect_uri = "http://127.0.0.1:8080/callback"


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def start(storage):
    callback = {}

    async def open_page(url):
        async with httpx2.AsyncClient() as browser:
            answer = await browser.get(url)
        callback.update(parse_qs(urlparse(answer.headers["location"]).query))

    async def read_callback():
        return AuthorizationCodeResult(code=callback["code"][0], state=callback["state"][0])

    metadata = OAuthClientMetadata(
        redirect_uris=[redirect_uri],
        grant_types=["authorization_code", "refresh_token"],
        token_endpoint_auth_method="none",
    )
    return OAuthClientProvider(f"{origin}/mcp", metadata, storage, open_page, read_callback)


async def call(provider, step):
    async with httpx2.AsyncClient() as other:
        await other.post(f"{origin}/step", content=step)
    async with httpx2.AsyncClient(auth=provider) as client:
        (await client.post(f"{origin}/mcp", json={})).raise_for_status()


async def show():
    provider = start(Storage())
    await call(provider, "sign-in for an hour")
    await call(provider, "refused within the hour")
    storage = Storage()
    provider = start(storage)
    await call(provider, "sign-in for a second")
    await asyncio.sleep(2)
    await call(provider, "the second is over")
    await asyncio.sleep(2)
    await call(start(storage), "the second is over, and the client was restarted")


asyncio.run(show())
SCRIPT

cat > show.js <<'SCRIPT'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

import { auth, UnauthorizedError, withOAuth } from '@modelcontextprotocol/client';

const print = (line) => writeSync(1, `${line}\n`);
let issued = 0;
let accepted;
let seconds;

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, origin);
  const body = await text(request);
  const answer = (status, headers, json) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(json && JSON.stringify(json));
  };
  if (pathname === '/step') {
    print(`  ${body}`);
    accepted = undefined;
    seconds = body.includes('hour') ? 3600 : 1;
    answer(204);
  } else if (pathname === '/mcp') {
    const { authorization } = request.headers;
    const status = authorization !== undefined && authorization === accepted ? 200 : 401;
    print(`    call with ${authorization ?? 'no token'}: ${status}`);
    if (status === 200) answer(200, {}, {});
    else answer(401, { 'www-authenticate': authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"' });
  } else if (pathname === '/.well-known/oauth-protected-resource/mcp') {
    answer(200, {}, { resource: `${origin}/mcp`, authorization_servers: [origin] });
  } else if (pathname === '/.well-known/oauth-authorization-server') {
    answer(200, {}, {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  } else if (pathname === '/register') {
    answer(201, {}, { ...JSON.parse(body), client_id: 'client-1' });
  } else if (pathname === '/authorize') {
    print('    sign-in page');
    const callback = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' });
    answer(302, { location: `${searchParams.get('redirect_uri')}?${callback}` });
  } else if (pathname === '/token') {
    issued += 1;
    print(`    token ${issued}: ${new URLSearchParams(body).get('grant_type')}`);
    accepted = `Bearer ${issued}`;
    const times = { token_type: 'Bearer', expires_in: seconds };
    answer(200, {}, { access_token: `${issued}`, refresh_token: 'refresh', ...times });
  } else {
    answer(404);
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;

const start = (stored) => ({
  redirectUrl: 'http://127.0.0.1:8080/callback',
  clientMetadata: {
    redirect_uris: ['http://127.0.0.1:8080/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  },
  clientInformation: () => stored.client,
  saveClientInformation: (client) => (stored.client = client),
  tokens: () => stored.tokens,
  saveTokens: (tokens) => (stored.tokens = tokens),
  codeVerifier: () => stored.verifier,
  saveCodeVerifier: (verifier) => (stored.verifier = verifier),
  redirectToAuthorization: (url) => (stored.url = url),
});

async function call(stored, step) {
  await fetch(`${origin}/step`, { method: 'POST', body: step });
  const provider = start(stored);
  const serverUrl = `${origin}/mcp`;
  const send = () => withOAuth(provider, serverUrl)(fetch)(serverUrl, { method: 'POST', body: '{}' });
  try {
    await send();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const { headers } = await fetch(stored.url, { redirect: 'manual' });
    const authorizationCode = new URL(headers.get('location')).searchParams.get('code');
    await auth(provider, { serverUrl, authorizationCode });
    await send();
  }
}

print('mcp');
const [status] = await once(spawn('venv/bin/python', ['client.py', origin], { stdio: 'inherit' }), 'close');
if (status !== 0) process.exit(2);

print('@modelcontextprotocol/client');
issued = 0;
const hour = {};
await call(hour, 'sign-in for an hour');
await call(hour, 'refused within the hour');
const second = {};
await call(second, 'sign-in for a second');
await setTimeout(2000);
await call(second, 'the second is over');
await setTimeout(2000);
await call({ tokens: second.tokens, client: second.client }, 'the second is over, and the client was restarted');
server.close();
server.closeAllConnections();
SCRIPT
node show.js > seen 2> log || { cat log >&2; exit 2; }

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
