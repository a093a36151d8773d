#!/bin/sh
# rss-parser: the next page of a feed (RFC 5005) is found in RSS, and not in Atom.
#
# Version:   rss-parser 3.13.0, feedsmith 3.0.1
# Date:      2026-11-28
# Behaviour: `paginationLinks` of an RSS feed has the addresses of its `atom:link` elements by relation, `next` among them.
#            An Atom feed with the same links has no `paginationLinks`. feedsmith has the links of both.
# Guess:     At least in Atom, where RFC 5005 defines the relation.
# Matters:   A program that reads older entries page by page stops after the first page of an Atom feed.
#
# Usage: sh feed-reader-next-page.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> RSS: rss-parser next https://feeds.example/1?page=2, feedsmith next https://feeds.example/1?page=2
#> Atom: rss-parser next undefined, feedsmith next https://feeds.example/1?page=2
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact rss-parser@3.13.0 feedsmith@3.0.1 || exit 2

cat > show.js <<'SCRIPT'
import { parseFeed } from 'feedsmith';
import Parser from 'rss-parser';

const feeds = {
  RSS: `<?xml version="1.0"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
  <title>Notes</title><link>https://feeds.example/</link><description>Notes</description>
  <atom:link rel="self" href="https://feeds.example/1"/><atom:link rel="next" href="https://feeds.example/1?page=2"/>
</channel></rss>`,
  Atom: `<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>https://feeds.example/1</id><title>Notes</title><updated>2026-03-04T00:00:00Z</updated>
  <link rel="self" href="https://feeds.example/1"/><link rel="next" href="https://feeds.example/1?page=2"/>
</feed>`,
};
for (const [format, xml] of Object.entries(feeds)) {
  const { paginationLinks } = await new Parser().parseString(xml);
  const { feed } = parseFeed(xml);
  const next = (feed.links ?? feed.atom.links).find(({ rel }) => rel === 'next')?.href;
  console.log(`${format}: rss-parser next ${paginationLinks?.next}, feedsmith next ${next}`);
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
