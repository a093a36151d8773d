#!/bin/sh
# RSS: an item whose only address is its `guid` has a link in feedparser, and none in rss-parser.
#
# Version:   feedparser 6.0.14, rss-parser 3.13.0
# Date:      2026-11-28
# Behaviour: An item has `<guid>https://blog.example/1</guid>` and no `<link>`, as a short post may have. feedparser
#            gives the guid as `link`, and does not where `isPermaLink="false"`. rss-parser gives no link in either
#            case, and does not say whether the guid is one.
# Guess:     The guid is the link: RSS 2.0 has `isPermaLink` true by default, and then "the reader may assume that it is
#            a permalink to the item".
# Matters:   Readers with rss-parser show posts that nobody can open, and cannot tell an address from an opaque id. A
#            server avoids it with `<link>` in each item.
#
# Usage: sh feed-reader-guid-as-link.sh    (needs npm, Node and Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> rss-parser, First: guid https://blog.example/1, no link
#> rss-parser, Second: guid https://blog.example/2, no link
#> feedparser, First: guid https://blog.example/1, link https://blog.example/1
#> feedparser, Second: guid https://blog.example/2, no link
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact rss-parser@3.13.0 || exit 2
python3 -m venv venv
venv/bin/pip install --quiet feedparser==6.0.14 || exit 2

cat > feed.xml <<'SCRIPT'
<rss version="2.0"><channel>
  <title>Blog</title><link>https://blog.example/</link><description>Posts</description>
  <item><description>First</description><guid>https://blog.example/1</guid></item>
  <item><description>Second</description><guid isPermaLink="false">https://blog.example/2</guid></item>
</channel></rss>
SCRIPT
cat > show.js <<'SCRIPT'
import { readFileSync } from 'node:fs';

import Parser from 'rss-parser';

for (const { content, guid, link } of (await new Parser().parseString(readFileSync('feed.xml', 'utf8'))).items) {
  console.log(`rss-parser, ${content}: guid ${guid}, ${link ? `link ${link}` : 'no link'}`);
}
SCRIPT
cat > show.py <<'SCRIPT'
import feedparser

for entry in feedparser.parse("feed.xml").entries:
    link = f"link {entry.link}" if "link" in entry else "no link"
    print(f"feedparser, {entry.summary}: guid {entry.id}, {link}")
SCRIPT
{ node show.js && venv/bin/python show.py; } > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
