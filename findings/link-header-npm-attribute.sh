#!/bin/sh
# Link headers in JavaScript: spaces around `=`, or an attribute without a value, lose the relation; each library
# differs.
#
# Version:   http-link-header 1.1.4, li 1.3.0, parse-link-header 2.0.0
# Date:      2026-11-28
# Behaviour: Three forms of one link that RFC 8288 allows. Only http-link-header reads `rel = "next"` and `REL=`; only
#            parse-link-header reads a link with the attribute `crossorigin` before the relation. http-link-header names
#            an attribute `crossorigin; rel`, and li finds nothing.
# Guess:     All three find `next`. Names of attributes have no case, spaces around `=` are allowed, and a value is
#            optional (RFC 8288 §3: `link-param = token BWS [ "=" BWS ( token / quoted-string ) ]`).
# Matters:   The same answer has a next page for one client and none for another.
#
# Usage: sh link-header-npm-attribute.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> <https://api.example/posts?page=2>; rel="next"
#>   http-link-header:  https://api.example/posts?page=2
#>   li:                https://api.example/posts?page=2
#>   parse-link-header: https://api.example/posts?page=2
#> <https://api.example/posts?page=2>; rel = "next"
#>   http-link-header:  https://api.example/posts?page=2
#>   li:                no next page
#>   parse-link-header: no next page
#> <https://api.example/posts?page=2>; REL="next"
#>   http-link-header:  https://api.example/posts?page=2
#>   li:                no next page
#>   parse-link-header: no next page
#> <https://api.example/posts?page=2>; crossorigin; rel="next"
#>   http-link-header:  no next page
#>   li:                no next page
#>   parse-link-header: https://api.example/posts?page=2
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  http-link-header@1.1.4 li@1.3.0 parse-link-header@2.0.0 || exit 2

cat > show.js <<'SCRIPT'
import httpLinkHeader from 'http-link-header';
import li from 'li';
import parseLinkHeader from 'parse-link-header';

const libraries = {
  'http-link-header': (header) => httpLinkHeader.parse(header).rel('next')[0]?.uri,
  li: (header) => li.parse(header).next,
  'parse-link-header': (header) => parseLinkHeader(header)?.next?.url,
};
for (const parameters of ['rel="next"', 'rel = "next"', 'REL="next"', 'crossorigin; rel="next"']) {
  const header = `<https://api.example/posts?page=2>; ${parameters}`;
  console.log(header);
  for (const [name, find] of Object.entries(libraries)) {
    console.log(`  ${`${name}:`.padEnd(18)} ${find(header) ?? 'no next page'}`);
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
