#!/bin/sh
# rss-parser: the link of an Atom entry is the first one, even if it is `rel="self"`; gofeed takes the page.
#
# Version:   rss-parser 3.13.0, gofeed v1.4.2
# Date:      2026-11-28
# Behaviour: An entry has a link with `rel="self"` and one without `rel`, in this order. rss-parser gives the first as
#            `link` and has no other. With the order reversed, or with `rel="alternate"` written out, it gives the page.
#            gofeed gives the page in all three cases.
# Guess:     The page: a link without `rel` has the relation `alternate` (RFC 4287 §4.2.7.2), and the order has no
#            meaning.
# Matters:   A reader opens XML instead of the post. A server avoids it with `rel="alternate"` in each entry.
#
# Usage: sh feed-reader-atom-link.sh    (needs npm, Node and Go)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> rss-parser, self-first: https://blog.example/1.atom
#> rss-parser, page-first: https://blog.example/1
#> rss-parser, alternate: https://blog.example/1
#> gofeed, self-first: https://blog.example/1
#> gofeed, page-first: https://blog.example/1
#> gofeed, alternate: https://blog.example/1
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact rss-parser@3.13.0 || exit 2
{ go mod init show && go get github.com/mmcdole/gofeed@v1.4.2; } > log 2>&1 || { cat log >&2; exit 2; }

write() {
  cat > "$1.xml" <<SCRIPT
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:blog.example,2026:feed</id><title>Blog</title><updated>2026-11-28T00:00:00Z</updated>
  <entry><id>tag:blog.example,2026:1</id><title>One</title><updated>2026-11-28T00:00:00Z</updated>$2</entry>
</feed>
SCRIPT
}
self='<link rel="self" href="https://blog.example/1.atom"/>'
write self-first "$self<link href='https://blog.example/1'/>"
write page-first "<link href='https://blog.example/1'/>$self"
write alternate "$self<link rel='alternate' href='https://blog.example/1'/>"

cat > show.js <<'SCRIPT'
import { readFileSync } from 'node:fs';

import Parser from 'rss-parser';

for (const name of ['self-first', 'page-first', 'alternate']) {
  const { items } = await new Parser().parseString(readFileSync(`${name}.xml`, 'utf8'));
  console.log(`rss-parser, ${name}: ${items[0].link}`);
}
SCRIPT
cat > main.go <<'SCRIPT'
package main

import (
	"fmt"
	"os"

	"github.com/mmcdole/gofeed"
)

func main() {
	for _, name := range []string{"self-first", "page-first", "alternate"} {
		file, err := os.Open(name + ".xml")
		if err != nil {
			panic(err)
		}
		feed, err := gofeed.NewParser().Parse(file)
		if err != nil {
			panic(err)
		}
		fmt.Printf("gofeed, %s: %s\n", name, feed.Items[0].Link)
	}
}
SCRIPT
{ node show.js && go mod tidy > log 2>&1 && go run .; } > seen || { cat log >&2; exit 2; }

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
