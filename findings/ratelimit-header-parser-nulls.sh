#!/bin/sh
# ratelimit-header-parser: the `RateLimit` header of the current draft gives a limit of nulls, with an invalid Date.
#
# Version:   ratelimit-header-parser 0.1.0, structured-headers 2.1.0
# Date:      2026-11-28
# Behaviour: `RateLimit: "default";r=50;t=5` with its `RateLimit-Policy` gives an object with three nulls and an invalid
#            Date. An answer without such headers gives undefined, and the older form `limit=100, remaining=50, reset=5`
#            gives numbers. structured-headers reads the new form.
# Guess:     50 remaining, or undefined for a form that is unknown to the parser.
# Matters:   A client that asks `if (limit)` takes the headers as understood: `limit.remaining > 0` is false for null,
#            so that it waits; and the time to wait is NaN, which `setTimeout` takes as 1 ms.
#
# Usage: sh ratelimit-header-parser-nulls.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> {"RateLimit":"limit=100, remaining=50, reset=5"}
#>   {"limit":100,"used":50,"remaining":50,"reset":"a Date"}
#> {"RateLimit":"\"default\";r=50;t=5","RateLimit-Policy":"\"default\";q=100;w=60"}
#>   {"limit":null,"used":null,"remaining":null,"reset":"an invalid Date"}
#> {"Date":"today"}
#>   undefined
#> structured-headers: default, {"r":50,"t":5}
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  ratelimit-header-parser@0.1.0 structured-headers@2.1.0 || exit 2

cat > show.js <<'SCRIPT'
import { parseRateLimit } from 'ratelimit-header-parser';
import { parseList } from 'structured-headers';

const current = { RateLimit: '"default";r=50;t=5', 'RateLimit-Policy': '"default";q=100;w=60' };
for (const headers of [{ RateLimit: 'limit=100, remaining=50, reset=5' }, current, { Date: 'today' }]) {
  const limit = parseRateLimit(new Headers(headers));
  if (limit) limit.reset = Number.isNaN(limit.reset.getTime()) ? 'an invalid Date' : 'a Date';
  console.log(`${JSON.stringify(headers)}\n  ${JSON.stringify(limit)}`);
}
const [[name, parameters]] = parseList(current.RateLimit);
console.log(`structured-headers: ${name}, ${JSON.stringify(Object.fromEntries(parameters))}`);
SCRIPT
node show.js > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
