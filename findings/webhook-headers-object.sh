#!/bin/sh
# Webhooks: the `Headers` of a fetch request are "missing" to standardwebhooks and svix, which read plain objects only.
#
# Version:   standardwebhooks 1.1.1 and svix 1.99.1 (npm)
# Date:      2026-11-28
# Behaviour: The signature is right. With a plain object of headers, in small or in capital letters, `verify` returns
#            the payload. With `request.headers` of a fetch Request it raises `Missing required headers`.
# Guess:     It reads Headers too: this is how a server gets headers in Deno, Bun, Cloudflare Workers, Next.js and Hono.
# Matters:   Each webhook is refused, and the message sends people to the sender, who sent all headers. It needs
#            `Object.fromEntries(request.headers)`. TypeScript finds it, plain JavaScript does not.
#
# Usage: sh webhook-headers-object.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> standardwebhooks, small: {"type":"post.created"}
#> standardwebhooks, capital: {"type":"post.created"}
#> standardwebhooks, Headers: WebhookVerificationError: Missing required headers
#> svix, small: {"type":"post.created"}
#> svix, capital: {"type":"post.created"}
#> svix, Headers: WebhookVerificationError: Missing required headers
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact standardwebhooks@1.1.1 svix@1.99.1 || exit 2

cat > show.js <<'SCRIPT'
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

const secret = `whsec_${Buffer.from('k'.repeat(24)).toString('base64')}`;
const body = '{"type":"post.created"}';
const now = new Date();
const small = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': new StandardWebhook(secret).sign('msg_1', now, body),
};
const capital = Object.fromEntries(Object.entries(small).map(([name, value]) => [name.toUpperCase(), value]));
const { headers } = new Request('https://app.example/', { method: 'POST', headers: small, body });
for (const [library, Webhook] of Object.entries({ standardwebhooks: StandardWebhook, svix: SvixWebhook })) {
  for (const [form, given] of Object.entries({ small, capital, Headers: headers })) {
    try {
      console.log(`${library}, ${form}: ${JSON.stringify(new Webhook(secret).verify(body, given))}`);
    } catch (error) {
      console.log(`${library}, ${form}: ${error.name}: ${error.message}`);
    }
  }
}
SCRIPT
node show.js > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
