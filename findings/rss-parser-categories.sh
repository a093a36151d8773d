#!/bin/sh
# rss-parser: a category with a `domain` is an object among strings, although the types say `string[]`.
#
# Version:   rss-parser 3.13.0
# Date:      2026-11-28
# Behaviour: An RSS item has `<category domain="https://tags.example/">music</category>` and one without the attribute.
#            The array has an object with the members `_` and `$`, then a string. Atom's categories are missing.
# Guess:     Two strings, and the terms of Atom's categories: `categories?: string[]` is the declared type.
# Matters:   `categories.join(', ')` and `category.toLowerCase()` raise a TypeError for the feeds of some sites only. A
#            server that leaves `domain` out avoids it.
#
# Usage: sh rss-parser-categories.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> types: categories?: string[];
#> RSS: [{"_":"music","$":{"domain":"https://tags.example/"}},"art"]
#>   joined: TypeError
#> Atom: undefined
#>   joined: undefined
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact rss-parser@3.13.0 || exit 2

cat > show.js <<'SCRIPT'
import { readFileSync } from 'node:fs';

import Parser from 'rss-parser';

const types = readFileSync('node_modules/rss-parser/index.d.ts', 'utf8');
console.log(`types: ${/categories\?: .*?;/.exec(types)[0]}`);
const feeds = {
  RSS: `<rss version="2.0"><channel><title>Blog</title><link>https://blog.example/</link><description>-</description>
    <item><title>One</title><category domain="https://tags.example/">music</category><category>art</category></item>
    </channel></rss>`,
  Atom: `<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:blog.example,2026:feed</id><title>Blog</title>
    <updated>2026-11-28T00:00:00Z</updated><entry><id>tag:blog.example,2026:1</id><title>One</title>
    <updated>2026-11-28T00:00:00Z</updated><category term="music"/></entry></feed>`,
};
for (const [format, xml] of Object.entries(feeds)) {
  const { categories } = (await new Parser().parseString(xml)).items[0];
  console.log(`${format}: ${JSON.stringify(categories)}`);
  try {
    console.log(`  joined: ${categories?.join(', ')}`);
  } catch (error) {
    console.log(`  joined: ${error.name}`);
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
