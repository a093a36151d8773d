#!/bin/sh
# oidc-provider: a token request without the DPoP proof that its client needs gets `invalid_grant`; a wrong proof gets
# `invalid_dpop_proof`.
#
# Version:   oidc-provider 9.13.3
# Date:      2026-11-28
# Behaviour: The client has `dpop_bound_access_tokens: true`. Without a `DPoP` header, the response is 400 `invalid_grant`
#            ("grant request is invalid"), also for `client_credentials`, which presents no grant. With a header that is no
#            proof, it is 400 `invalid_dpop_proof`.
# Guess:     `invalid_dpop_proof` or `invalid_request` for both. A client that reacts to `invalid_grant` by signing the person
#            in again does so, although only a header is missing.
# Not a bug: RFC 9449 §5.2 says that the server rejects such a request, and names no error. §5 has `invalid_dpop_proof` for a
#            proof that is invalid.
#
# Usage: sh oidc-provider-dpop-proof-missing.sh    (needs npm and Node; oidc-provider supports 22 and newer)
# Exits with 0 if the behaviour is as described, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#   oidc-provider 9.13.3
#   without dpop_bound_access_tokens, no proof: 200 a token
#   dpop_bound_access_tokens, no proof: 400 invalid_grant grant request is invalid
#   dpop_bound_access_tokens, no JWT as proof: 400 invalid_dpop_proof invalid DPoP key binding
#   The behaviour is as described.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact oidc-provider@9.13.3 || exit 2

cat > show.js <<'SCRIPT'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { Provider } from 'oidc-provider';

process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(2);
});

const { version } = JSON.parse(readFileSync('node_modules/oidc-provider/package.json', 'utf8'));
console.log(`oidc-provider ${version}`);

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const client = {
  client_id: 'machine',
  client_secret: 'a secret of a machine',
  redirect_uris: [],
  response_types: [],
  grant_types: ['client_credentials'],
};
const provider = new Provider(issuer, {
  clients: [client, { ...client, client_id: 'bound', dpop_bound_access_tokens: true }],
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  ttl: { ClientCredentials: 600 },
});
server.on('request', provider.callback());

async function ask(clientId, headers = {}) {
  const authorization = `Basic ${Buffer.from(`${clientId}:a+secret+of+a+machine`).toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const response = await fetch(`${issuer}/token`, { method: 'POST', headers: { authorization, ...headers }, body });
  const { error = 'a token', error_description: description } = await response.json();
  return [response.status, error, description].filter(Boolean).join(' ');
}

const seen = [
  ['without dpop_bound_access_tokens, no proof', await ask('machine')],
  ['dpop_bound_access_tokens, no proof', await ask('bound')],
  ['dpop_bound_access_tokens, no JWT as proof', await ask('bound', { dpop: 'none' })],
];
server.close();
server.closeAllConnections();
for (const [what, outcome] of seen) console.log(`${what}: ${outcome}`);

const expected = [/^200 a token/, /^400 invalid_grant/, /^400 invalid_dpop_proof/];
if (!seen.every(([, outcome], index) => expected[index].test(outcome))) process.exit(1);
console.log('The behaviour is as described.');
SCRIPT
node show.js 2> log && exit 0
status=$?
cat log >&2
exit "$status"
