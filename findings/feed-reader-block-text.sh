#!/bin/sh
# @extractus/feed-extractor: the words of two paragraphs become one word.
#
# Version:   @extractus/feed-extractor 8.0.3, rss-parser 3.13.0
# Date:      2026-11-28
# Behaviour: `description` is the text of the content without its elements. Between `</p>` and `<p>`, or two `<div>`s, it has
#            nothing, so "one</p><p>two" is "onetwo". With a line break between the elements it is right. rss-parser's
#            `contentSnippet` has a line break in both cases.
# Guess:     The end of a block is white space, as browsers give it for `innerText`.
# Matters:   Previews and searches have words that nobody wrote. A feed can avoid it: a line break between blocks.
#
# Usage: sh feed-reader-block-text.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> "<p>one</p><p>two</p>" feed-extractor: "onetwo"
#> "<p>one</p><p>two</p>" rss-parser: "one\ntwo"
#> "<p>one</p>\n<p>two</p>" feed-extractor: "one two"
#> "<p>one</p>\n<p>two</p>" rss-parser: "one\ntwo"
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @extractus/feed-extractor@8.0.3 rss-parser@3.13.0 || exit 2

cat > show.js <<'SCRIPT'
import { extractFromXml } from '@extractus/feed-extractor';
import Parser from 'rss-parser';

for (const html of ['<p>one</p><p>two</p>', '<p>one</p>\n<p>two</p>']) {
  const xml = `<?xml version="1.0"?>
<rss version="2.0"><channel>
  <title>Notes</title><link>https://feeds.example/1</link><description>Notes</description>
  <item><guid>https://feeds.example/1/2</guid><link>https://feeds.example/1/2</link>
    <description>${html.replaceAll('<', '&lt;')}</description></item>
</channel></rss>`;
  const show = (reader, text) => console.log(`${JSON.stringify(html)} ${reader}: ${JSON.stringify(text)}`);
  show('feed-extractor', extractFromXml(xml).entries[0].description);
  show('rss-parser', (await new Parser().parseString(xml)).items[0].contentSnippet);
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
