#!/bin/sh
# JSON Schema: with `multipleOf: 0.01`, Ajv refuses one price in seven, among them 0.07; two other validators refuse
# none.
#
# Version:   ajv 8.20.0, @hyperjump/json-schema 1.18.0, zod 4.6.7
# Date:      2026-11-28
# Behaviour: All prices from 0.00 to 100.00 with two decimals are validated. Ajv divides and wants an integer, so
#            rounding of binary fractions decides. @hyperjump/json-schema and zod allow for it. Ajv has the option
#            `multipleOfPrecision`.
# Guess:     None is refused: each is a multiple of 0.01 as it is written (JSON Schema validation §6.2.1 speaks of
#            numbers, not of binary fractions).
# Matters:   The same document accepts a price in one client and refuses it in the server. Tests with 9.99 or 19.99 are
#            green.
#
# Usage: sh json-schema-cents.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> ajv: 1363 of 10001 refused 0.07 0.14 0.28 0.29 0.47
#> ajv, multipleOfPrecision: 6: 0 of 10001 refused
#> @hyperjump/json-schema: 0 of 10001 refused
#> zod: 0 of 10001 refused
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  ajv@8.20.0 @hyperjump/json-schema@1.18.0 zod@4.6.7 || exit 2

cat > show.js <<'SCRIPT'
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import Ajv from 'ajv/dist/2020.js';
import { z } from 'zod';

const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'number', multipleOf: 0.01 };
registerSchema(schema, 'https://shop.example/price');
const hyperjump = await validate('https://shop.example/price');
const zod = z.number().multipleOf(0.01);
const validators = {
  ajv: new Ajv.default().compile(schema),
  'ajv, multipleOfPrecision: 6': new Ajv.default({ multipleOfPrecision: 6 }).compile(schema),
  '@hyperjump/json-schema': (price) => hyperjump(price).valid,
  zod: (price) => zod.safeParse(price).success,
};
const prices = Array.from({ length: 10_001 }, (_, cents) => Number((cents / 100).toFixed(2)));
for (const [name, validate] of Object.entries(validators)) {
  const refused = prices.filter((price) => !validate(price));
  console.log(`${name}: ${refused.length} of ${prices.length} refused ${refused.slice(0, 5).join(' ')}`.trim());
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
