#!/bin/sh
# Webhooks: `verify` parses the payload as JSON, so that a right signature of another payload is a SyntaxError.
#
# Version:   standardwebhooks 1.1.1 and svix 1.99.1 (npm)
# Date:      2026-11-28
# Behaviour: The body is a form, and its signature is right. Both raise a SyntaxError instead of
#            WebhookVerificationError. For an empty body standardwebhooks returns undefined, and svix raises. An integer
#            beyond 2^53 comes back changed.
# Guess:     `verify` checks the signature of the bytes, and gives them back: Standard Webhooks signs id, time and body
#            as they are.
# Matters:   A handler that answers 400 for WebhookVerificationError answers 500 for these, and the sender tries again.
#            64-bit ids in the payload are wrong after a successful verification: parse the body yourself.
#
# Usage: sh webhook-verify-parses-json.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> body: {"id":9007199254740993}
#>   standardwebhooks: {"id":9007199254740992}
#>   svix: {"id":9007199254740992}
#> body: type=post.created&id=1
#>   standardwebhooks: SyntaxError
#>   svix: SyntaxError
#> body: empty
#>   standardwebhooks: undefined
#>   svix: SyntaxError
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
const now = new Date();
for (const body of ['{"id":9007199254740993}', 'type=post.created&id=1', '']) {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new StandardWebhook(secret).sign('msg_1', now, body),
  };
  console.log(`body: ${body || 'empty'}`);
  for (const [library, Webhook] of Object.entries({ standardwebhooks: StandardWebhook, svix: SvixWebhook })) {
    try {
      console.log(`  ${library}: ${JSON.stringify(new Webhook(secret).verify(body, headers))}`);
    } catch (error) {
      console.log(`  ${library}: ${error.name}`);
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
