#!/bin/sh
# oidc-provider: revocation of one refresh token ends all refresh tokens of the same user and client in that session.
#
# Version:   oidc-provider 9.13.3
# Date:      2026-11-28
# Behaviour: A user who signs in twice to one client with the same browser session has two refresh tokens under one
#            Grant. The client revokes the first. The second becomes `invalid_grant`, and the Grant is gone, so that
#            consent is asked again.
# Guess:     The revoked token ends, and the access tokens that came from it: RFC 7009 §2.1 speaks of "access tokens
#            based on the same authorization grant", and each code was a grant of its own.
# Matters:   An app signs out in one window, or revokes the token it has just replaced by a new one: the other window,
#            and the new token, fail at the next refresh. The option `revokeGrantPolicy` decides; it answers yes for
#            revocation by default.
#
# Usage: sh oidc-provider-revocation-takes-grant.sh    (needs npm and Node; oidc-provider supports 22 and newer)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> use of the third token: 200
#> revocation of the first token: 200
#> use of the second token: 400 invalid_grant
#> grant: gone
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact oidc-provider@9.13.3 || exit 2

cat > show.js <<'SCRIPT'
import { createServer } from 'node:http';

import { Provider } from 'oidc-provider';

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const client = {
  client_id: 'app',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: ['https://app.example/'],
};
const provider = new Provider(issuer, {
  clients: [client],
  features: { revocation: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, RefreshToken: 600 },
});
server.on('request', provider.callback());

const grant = new provider.Grant({ accountId: 'alice', clientId: 'app' });
grant.addOIDCScope('openid offline_access');
const grantId = await grant.save();

/** The refresh token of one sign-in, as the token endpoint saves it. */
async function signIn() {
  const token = new provider.RefreshToken({
    accountId: 'alice',
    client: await provider.Client.find('app'),
    grantId,
    gty: 'authorization_code',
    scope: 'openid offline_access',
    expiresWithSession: false,
  });
  return token.save();
}

async function post(path, parameters) {
  const body = new URLSearchParams({ client_id: 'app', ...parameters });
  const response = await fetch(issuer + path, { method: 'POST', body });
  const { error } = JSON.parse((await response.text()) || '{}');
  return error ? `${response.status} ${error}` : response.status;
}

const refresh = (token) => post('/token', { grant_type: 'refresh_token', refresh_token: token });
const [first, second, third] = [await signIn(), await signIn(), await signIn()];
console.log(`use of the third token: ${await refresh(third)}`);
console.log(`revocation of the first token: ${await post('/token/revocation', { token: first })}`);
console.log(`use of the second token: ${await refresh(second)}`);
console.log(`grant: ${(await provider.Grant.find(grantId)) ? 'there' : 'gone'}`);
server.closeAllConnections();
server.close();
SCRIPT
node show.js > seen 2> log || { cat log >&2; exit 2; }

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
