#!/bin/sh
# MCP Inspector: on the command line it asks for all scopes, although the 401 names one; a client id changes that.
#
# Version:   @modelcontextprotocol/inspector 2.12.0
# Date:      2026-11-29
# Behaviour: The server answers 401 with `scope="read"`; its metadata has three `scopes_supported`. When the Inspector
#            registers itself, it registers and asks for all three. With `--client-id` or `--client-metadata-url` it
#            asks for `read`, but only with `--protocol-era modern`; with `legacy` it asks for all three in each case.
# Guess:     `read` in all cases: clients should use the `scope` of the "initial WWW-Authenticate header in the 401
#            response, if provided", and `scopes_supported` only if there is none (MCP 2025-11-25, Scope Selection
#            Strategy).
# Matters:   A person who tries a server out with the Inspector consents to everything, and never sees the server ask
#            for a further scope. As the same command with a client id asks for `read` only, one looks for the
#            difference in the server.
#
# Usage: sh mcp-inspector-challenge-scope.sh    (needs npm and Node; the Inspector supports 22.19 and newer)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> modern, it registers itself
#>   401: read
#>   registration: read write admin
#>   authorization: read write admin
#> modern, with a client id
#>   401: read
#>   authorization: read
#> modern, with a metadata document
#>   401: read
#>   authorization: read
#> legacy, it registers itself
#>   401: read
#>   registration: read write admin
#>   authorization: read write admin
#> legacy, with a client id
#>   401: read
#>   authorization: read write admin
#> legacy, with a metadata document
#>   401: read
#>   authorization: read write admin
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @modelcontextprotocol/inspector@2.12.0 || exit 2

cat > show.js <<'SCRIPT'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';

const scopes = ['read', 'write', 'admin'];

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, origin);
  const answer = (status, headers, body) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body && JSON.stringify(body));
  };
  if (pathname === '/.well-known/oauth-protected-resource/mcp') {
    answer(200, {}, { resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported: scopes });
  } else if (pathname === '/.well-known/oauth-authorization-server') {
    answer(200, {}, {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      scopes_supported: scopes,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
    });
  } else if (pathname === '/register') {
    const metadata = await json(request);
    console.log(`  registration: ${metadata.scope}`);
    answer(201, {}, { ...metadata, client_id: 'registered' });
  } else if (pathname === '/authorize') {
    console.log(`  authorization: ${searchParams.get('scope')}`);
    const callback = new URLSearchParams({ code: searchParams.get('scope'), state: searchParams.get('state') });
    answer(302, { location: `${searchParams.get('redirect_uri')}?${callback}` });
  } else if (pathname === '/token') {
    const scope = new URLSearchParams(await text(request)).get('code');
    answer(200, {}, { access_token: 'token', token_type: 'Bearer', expires_in: 3600, scope });
  } else if (pathname === '/mcp' && request.headers.authorization === undefined) {
    console.log('  401: read');
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    answer(401, { 'www-authenticate': `Bearer scope="read", ${metadata}` });
  } else if (pathname === '/mcp' && request.method === 'POST') {
    const { id, method } = await json(request);
    if (id === undefined) answer(202);
    else answer(200, {}, { jsonrpc: '2.0', id, result: results[method] });
  } else {
    answer(pathname === '/mcp' ? 405 : 404);
  }
});
const common = { capabilities: { tools: {} }, serverInfo: { name: 'server', version: '1.0.0' } };
const results = {
  'server/discover': { resultType: 'complete', supportedVersions: ['2026-07-28'], ...common },
  initialize: { protocolVersion: '2025-11-25', ...common },
  'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
};
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;

/** Runs the Inspector in a home of its own. The person consents to each request that it prints. It finds no browser. */
async function run(...options) {
  const home = mkdtempSync('home-');
  const args = ['--cli', '--server-url', `${origin}/mcp`, '--method', 'tools/list', '--format', 'json', ...options];
  const env = { HOME: `${process.cwd()}/${home}`, PATH: dirname(process.execPath), MCP_AUTO_OPEN_ENABLED: 'true' };
  const inspector = spawn(process.execPath, ['node_modules/.bin/mcp-inspector', ...args], {
    env: { ...env, MCP_INSPECTOR_SECRET_STORE: 'file' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(inspector, 'close');
  for await (const line of createInterface(inspector.stderr)) {
    console.error(line);
    const [request] = /http\S+\/authorize\?\S+/.exec(line) ?? [];
    if (request !== undefined) await fetch(request);
  }
  const [status] = await closed;
  if (status !== 0) process.exit(2);
}

const unused = createServer().listen(0, '127.0.0.1');
await once(unused, 'listening');
const callback = `http://127.0.0.1:${unused.address().port}/callback`;
unused.close();
for (const era of ['modern', 'legacy']) {
  const place = ['--protocol-era', era, '--callback-url', callback];
  for (const [name, ...identity] of [
    ['it registers itself'],
    ['with a client id', '--client-id', 'registered'],
    ['with a metadata document', '--client-metadata-url', 'https://client.example/metadata.json'],
  ]) {
    console.log(`${era}, ${name}`);
    await run(...place, ...identity);
  }
}
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
