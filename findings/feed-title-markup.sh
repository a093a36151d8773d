#!/bin/sh
# feed (npm): a title is plain text in RSS and JSON Feed, and HTML in Atom without escapes: readers lose `<b>` and all
# after.
#
# Version:   feed 6.0.0, parse5 8.1.1
# Date:      2026-11-28
# Behaviour: The title of an item is `Use <details> & <b> today`. JSON Feed has it as it is. `atom1()` declares the
#            title as HTML (`type="html"`), but writes the text without escapes into a CDATA section. Read as HTML, the
#            text of the title has no `<details>` and no `<b>`.
# Guess:     The same title in all formats: escaped for HTML, or `type="text"`.
# Matters:   A title about markup or mathematics loses words in readers of one format only. A title that is escaped for
#            Atom shows `&lt;` in JSON Feed.
#
# Usage: sh feed-title-markup.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> JSON Feed: Use <details> & <b> today, 1 <2
#> Atom: <title type="html"><![CDATA[Use <details> & <b> today, 1 <2]]></title>
#> Atom, read as HTML: Use  &  today, 1 <2
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact feed@6.0.0 parse5@8.1.1 || exit 2

cat > show.js <<'SCRIPT'
import { Feed } from 'feed';
import { parseFragment } from 'parse5';

const readText = (node) => node.value ?? node.childNodes.map(readText).join('');

const feed = new Feed({ title: 'Blog', id: 'https://blog.example/', link: 'https://blog.example/', copyright: 'none' });
feed.addItem({ title: 'Use <details> & <b> today, 1 <2', link: 'https://blog.example/1', date: new Date(0) });
console.log(`JSON Feed: ${JSON.parse(feed.json1()).items[0].title}`);
const [element, title] = /<title type.*CDATA\[(.*)\]\]><\/title>/.exec(feed.atom1());
console.log(`Atom: ${element}`);
console.log(`Atom, read as HTML: ${readText(parseFragment(title))}`);
SCRIPT
node show.js > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
