#!/bin/sh
# @extractus/feed-extractor: the date on which an Atom entry was published is the one on which it was changed.
#
# Version:   @extractus/feed-extractor 8.0.3, feedsmith 3.0.1, feedparser 2.6.0 (npm)
# Date:      2026-11-28
# Behaviour: An entry has both `published` and `updated` (RFC 4287 §4.2.9 and §4.2.15). feed-extractor's `published` is the
#            value of `updated`. feedsmith keeps both under their names, feedparser has both as `pubdate` and `date`.
# Guess:     `published` is `published`, and `updated` where there is no other date.
# Matters:   A post whose text is corrected moves to the top of a reader that sorts by this date, as if it were new.
#            Nothing in a feed helps, because an entry must have `updated`; RSS has no second date.
#
# Usage: sh feed-reader-edited-date.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> feed-extractor: published 2026-03-04T00:00:00.000Z
#> feedsmith: published 2026-01-02T00:00:00Z, updated 2026-03-04T00:00:00Z
#> feedparser: pubdate 2026-01-02T00:00:00.000Z, date 2026-03-04T00:00:00.000Z
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @extractus/feed-extractor@8.0.3 feedsmith@3.0.1 feedparser@2.6.0 || exit 2

cat > show.js <<'SCRIPT'
import { Readable } from 'node:stream';

import { extractFromXml } from '@extractus/feed-extractor';
import FeedParser from 'feedparser';
import { parseFeed } from 'feedsmith';

const xml = `<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>https://feeds.example/1</id><title>Notes</title><updated>2026-03-04T00:00:00Z</updated>
  <entry>
    <id>https://feeds.example/1/2</id><title>Corrected</title>
    <published>2026-01-02T00:00:00Z</published><updated>2026-03-04T00:00:00Z</updated>
    <link rel="alternate" href="https://feeds.example/1/2"/><content type="html">Text</content>
  </entry>
</feed>`;

console.log(`feed-extractor: published ${extractFromXml(xml).entries[0].published}`);
const [{ published, updated }] = parseFeed(xml).feed.entries;
console.log(`feedsmith: published ${published}, updated ${updated}`);
const parser = Readable.from([xml]).pipe(new FeedParser({}));
for await (const { pubdate, date } of parser) {
  console.log(`feedparser: pubdate ${pubdate.toISOString()}, date ${date.toISOString()}`);
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
