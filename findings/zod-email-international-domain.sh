#!/bin/sh
# zod: `z.email()` refuses each address under an internationalised top-level domain, even in its ASCII form.
#
# Version:   zod 4.6.7, ajv 8.20.0, ajv-formats 3.0.1, email-validator 2.4.0 (Python)
# Date:      2026-11-28
# Behaviour: `anna@xn--e1afmkfd.xn--p1ai` is the ASCII form of an address under `.рф`. zod refuses it, because its
#            pattern allows only letters in the last label. Ajv's `format: email` and email-validator accept it. An
#            internationalised name under `.com` in the same form is fine for all.
# Guess:     Valid: it has letters, digits and hyphens only, as RFC 1035 §2.3.1 and RFC 5321 §4.1.2 want.
# Matters:   People with such an address cannot register, and there is no other way to write it for zod.
#            `z.toJSONSchema` gives `format: email`, so a client's check passes first.
#
# Usage: sh zod-email-international-domain.sh    (needs npm, Node and Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> zod: anna@xn--e1afmkfd.com: valid
#> ajv: anna@xn--e1afmkfd.com: valid
#> zod: anna@xn--e1afmkfd.xn--p1ai: refused
#> ajv: anna@xn--e1afmkfd.xn--p1ai: valid
#> email-validator: anna@xn--e1afmkfd.com: valid, anna@пример.com
#> email-validator: anna@xn--e1afmkfd.xn--p1ai: valid, anna@пример.рф
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1 || exit 2
python3 -m venv venv
venv/bin/pip install --quiet email-validator==2.4.0 || exit 2

cat > show.js <<'SCRIPT'
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const ajv = new Ajv.default();
addFormats.default(ajv);
const validate = ajv.compile({ type: 'string', format: 'email' });
for (const address of process.argv.slice(2)) {
  console.log(`zod: ${address}: ${z.email().safeParse(address).success ? 'valid' : 'refused'}`);
  console.log(`ajv: ${address}: ${validate(address) ? 'valid' : 'refused'}`);
}
SCRIPT
cat > show.py <<'SCRIPT'
import sys

from email_validator import validate_email

for address in sys.argv[1:]:
    normalized = validate_email(address, check_deliverability=False).normalized
    print(f"email-validator: {address}: valid, {normalized}")
SCRIPT
set -- anna@xn--e1afmkfd.com anna@xn--e1afmkfd.xn--p1ai
{ node show.js "$@" && venv/bin/python show.py "$@"; } > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
