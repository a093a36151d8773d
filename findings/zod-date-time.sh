#!/bin/sh
# zod: `z.iso.datetime()` refuses `+00:00`, a small `z` and a leap second, which `format: date-time` of its own schema
# allows.
#
# Version:   zod 4.6.7, ajv 8.20.0, ajv-formats 3.0.1
# Date:      2026-11-28
# Behaviour: zod accepts only a capital `Z`. With `offset: true` it accepts offsets, but still no small letters and no
#            leap second. Ajv's `date-time` accepts all. `z.toJSONSchema` writes `format: date-time` and a pattern that
#            only a validator sees.
# Guess:     The date-time of RFC 3339, as JSON Schema has it: `+00:00` is what Python's `isoformat()` writes for UTC;
#            letters may be small (§5.6), and the second may be 60 (§5.7).
# Matters:   Clients in Python fail against a server with zod whose document says `date-time`. `new Date(...)` cannot
#            read the leap second, so such a server must decide about it.
#
# Usage: sh zod-date-time.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> zod writes format: date-time, with a pattern
#> 2026-11-28T12:00:00Z
#>   ajv, format: date-time: valid
#>   z.iso.datetime(): valid
#>   z.iso.datetime({ offset: true }): valid
#> 2026-11-28T12:00:00+00:00
#>   ajv, format: date-time: valid
#>   z.iso.datetime(): refused
#>   z.iso.datetime({ offset: true }): valid
#> 2026-11-28t12:00:00z
#>   ajv, format: date-time: valid
#>   z.iso.datetime(): refused
#>   z.iso.datetime({ offset: true }): refused
#> 2016-12-31T23:59:60Z
#>   ajv, format: date-time: valid
#>   z.iso.datetime(): refused
#>   z.iso.datetime({ offset: true }): refused
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1 || exit 2

cat > show.js <<'SCRIPT'
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const ajv = new Ajv.default();
addFormats.default(ajv);
const { format, pattern } = z.toJSONSchema(z.iso.datetime());
console.log(`zod writes format: ${format}, ${pattern ? 'with' : 'without'} a pattern`);
const validators = {
  'ajv, format: date-time': ajv.compile({ type: 'string', format: 'date-time' }),
  'z.iso.datetime()': (text) => z.iso.datetime().safeParse(text).success,
  'z.iso.datetime({ offset: true })': (text) => z.iso.datetime({ offset: true }).safeParse(text).success,
};
const texts = ['2026-11-28T12:00:00Z', '2026-11-28T12:00:00+00:00', '2026-11-28t12:00:00z', '2016-12-31T23:59:60Z'];
for (const text of texts) {
  console.log(text);
  for (const [name, accepts] of Object.entries(validators)) {
    console.log(`  ${name}: ${accepts(text) ? 'valid' : 'refused'}`);
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
