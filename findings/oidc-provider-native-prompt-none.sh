#!/bin/sh
# oidc-provider: a signed-in user of a native client gets `interaction_required` for `prompt=none`, granted or not.
#
# Version:   oidc-provider 9.13.3
# Date:      2026-11-27
# Behaviour: The user is signed in and has granted all requested scopes. `prompt=none` returns a code to a web client,
#            and `error=interaction_required` to a client that differs in `application_type: native` only. The check
#            `native_client_prompt` of the prompt `consent` causes it. The check runs before those of scopes, so the error
#            is the same where a grant is missing; a web client gets `consent_required` there. The redirect URI does not
#            matter: a claimed https URI gets the same error.
# Guess:     A code if all is granted, else `consent_required`: "The Authorization Server requires End-User consent"
#            (OpenID Connect Core 1.0 §3.1.2.6).
# Not a bug: RFC 8252 §8.6 says that a server should not answer without interaction unless the identity of the client is
#            proven (it may accept a claimed https URI as proof), and §3.1.2.6 has `interaction_required` for "interaction
#            of some form". But the error does not say which interaction, and hides whether consent is missing.
#
# Usage: sh oidc-provider-native-prompt-none.sh    (needs npm and Node; oidc-provider supports 22 and newer)
# Exits with 0 if the behaviour is as described, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#   oidc-provider 9.13.3
#   web, loopback
#     no session, prompt=none:        login_required
#     nothing granted, prompt=none:   consent_required
#     all granted, prompt=none:       code
#     all granted, no prompt:         code
#   native, loopback
#     no session, prompt=none:        login_required
#     nothing granted, prompt=none:   interaction_required
#     all granted, prompt=none:       interaction_required
#     all granted, no prompt:         consent (native_client_prompt), then code
#   native, private scheme
#     no session, prompt=none:        login_required
#     nothing granted, prompt=none:   interaction_required
#     all granted, prompt=none:       interaction_required
#     all granted, no prompt:         consent (native_client_prompt), then code
#   native, claimed https
#     no session, prompt=none:        login_required
#     nothing granted, prompt=none:   interaction_required
#     all granted, prompt=none:       interaction_required
#     all granted, no prompt:         consent (native_client_prompt), then code
#   The behaviour is as described.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact oidc-provider@9.13.3 || exit 2

cat > show.js <<'SCRIPT'
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { Provider } from 'oidc-provider';

const { version } = JSON.parse(readFileSync('node_modules/oidc-provider/package.json', 'utf8'));
console.log(`oidc-provider ${version}`);

const loopback = 'http://127.0.0.1/callback';
const clients = [
  ['web, loopback', 'web', loopback],
  ['native, loopback', 'native', loopback],
  ['native, private scheme', 'native', 'com.example.app:/callback'],
  ['native, claimed https', 'native', 'https://app.example.com/callback'],
].map(([client_id, application_type, redirectUri]) => ({
  client_id,
  application_type,
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
}));
/** Signs the user in where the client under test has no grant yet. */
const other = { ...clients[0], client_id: 'other' };

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [...clients, other],
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  ttl: { Grant: 600, Interaction: 600, Session: 600 },
});
const answer = provider.callback();
let prompts = [];
server.on('request', (request, response) => {
  if (request.url.startsWith('/interaction/')) {
    interact(request, response).catch(fail);
  } else {
    answer(request, response);
  }
});

/** The user signs in and grants everything, without pages. */
async function interact(request, response) {
  const { prompt, params, grantId } = await provider.interactionDetails(request, response);
  prompts.push(`${prompt.name} (${prompt.reasons.join(', ')})`);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: 'alice' } });
    return;
  }
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId: 'alice', clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** A browser with a cookie jar. Its function follows redirects to the client, and returns `code` or the error. */
function openBrowser() {
  const jar = new Map();
  return async (client, prompt) => {
    prompts = [];
    const [redirectUri] = client.redirect_uris;
    const parameters = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url'),
      code_challenge_method: 'S256',
      ...(prompt && { prompt }),
    });
    let url = `${issuer}/auth?${parameters}`;
    while (url.startsWith(`${issuer}/`)) {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url}: ${response.status} ${await response.text()}`);
      url = new URL(location, url).href;
    }
    if (!url.startsWith(redirectUri)) throw new Error(`unexpected redirect to ${url}`);
    const { searchParams } = new URL(url);
    return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : url);
  };
}

async function show(client) {
  const ask = openBrowser();
  const seen = [];
  const record = (step, result) => {
    seen.push(result);
    console.log(`  ${step.padEnd(31)} ${result}`);
  };
  console.log(client.client_id);
  record('no session, prompt=none:', await ask(client, 'none'));
  if ((await ask(other)) !== 'code') throw new Error('could not sign in');
  record('nothing granted, prompt=none:', await ask(client, 'none'));
  if ((await ask(client)) !== 'code') throw new Error('could not grant');
  record('all granted, prompt=none:', await ask(client, 'none'));
  const result = await ask(client);
  record('all granted, no prompt:', [...prompts, result].join(', then '));
  return seen.join('; ');
}

function fail(error) {
  console.error(error);
  process.exit(2);
}

const expected = {
  web: 'login_required; consent_required; code; code',
  native: 'login_required; interaction_required; interaction_required; consent (native_client_prompt), then code',
};
try {
  let changed = false;
  for (const client of clients) changed = (await show(client)) !== expected[client.application_type] || changed;
  console.log(changed ? 'The behaviour has changed.' : 'The behaviour is as described.');
  process.exitCode = changed ? 1 : 0;
} catch (error) {
  fail(error);
}
server.closeAllConnections();
server.close();
SCRIPT

# The log has the warnings about keys and storage for development.
status=0
node show.js 2> log || status=$?
case $status in
  0 | 1) ;;
  *)
    cat log >&2
    status=2
    ;;
esac
exit "$status"
