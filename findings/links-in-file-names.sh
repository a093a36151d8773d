#!/bin/sh
# twitter-text, linkifyjs and @atproto/api make a link of `main.rs` and of a missing space; linkify-it does not.
#
# Version:   twitter-text 3.1.0, linkifyjs 4.4.0, @atproto/api 0.19.19, linkify-it 6.1.0
# Date:      2026-11-28
# Behaviour: A text has a file name whose ending is the code of a country (`.rs`, `.py`, `.md`, `.sh`), or a full stop
#            without a space after it (`done.So`, not for @atproto/api). Three libraries find a URL there, and
#            @atproto/api makes a link to `https://main.rs`. twitter-text counts 23 characters for it. linkify-it finds
#            none, and none finds one in `index.js`.
# Guess:     A link has a scheme, or a host with `www.` at least.
# Matters:   A post about code links to strangers' domains, and a text within the limit of a server that counts links as
#            23 characters is refused. Two parts of a service with different libraries disagree over the length of a
#            post.
#
# Usage: sh links-in-file-names.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> see main.rs: 11 characters, 27 to twitter-text
#>   twitter-text: main.rs
#>   linkifyjs: http://main.rs
#>   @atproto/api: https://main.rs
#>   linkify-it: no link
#> read README.md: 14 characters, 28 to twitter-text
#>   twitter-text: README.md
#>   linkifyjs: http://README.md
#>   @atproto/api: https://README.md
#>   linkify-it: no link
#> run setup.py: 12 characters, 27 to twitter-text
#>   twitter-text: setup.py
#>   linkifyjs: http://setup.py
#>   @atproto/api: https://setup.py
#>   linkify-it: no link
#> it is done.So we go: 19 characters, 35 to twitter-text
#>   twitter-text: done.So
#>   linkifyjs: http://done.So
#>   @atproto/api: no link
#>   linkify-it: no link
#> see index.js: 12 characters, 12 to twitter-text
#>   twitter-text: no link
#>   linkifyjs: no link
#>   @atproto/api: no link
#>   linkify-it: no link
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  twitter-text@3.1.0 linkifyjs@4.4.0 @atproto/api@0.19.19 linkify-it@6.1.0 || exit 2

cat > show.js <<'SCRIPT'
import { RichText } from '@atproto/api';
import { LinkifyIt } from 'linkify-it';
import { find } from 'linkifyjs';
import twitter from 'twitter-text';

const linkifyIt = new LinkifyIt();
for (const text of ['see main.rs', 'read README.md', 'run setup.py', 'it is done.So we go', 'see index.js']) {
  const rich = new RichText({ text });
  rich.detectFacetsWithoutResolution();
  const found = {
    'twitter-text': twitter.extractUrls(text),
    linkifyjs: find(text).map(({ href }) => href),
    '@atproto/api': rich.facets?.map(({ features: [{ uri }] }) => uri) ?? [],
    'linkify-it': linkifyIt.match(text)?.map(({ url }) => url) ?? [],
  };
  console.log(`${text}: ${text.length} characters, ${twitter.parseTweet(text).weightedLength} to twitter-text`);
  for (const [name, links] of Object.entries(found)) console.log(`  ${name}: ${links.join(' ') || 'no link'}`);
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
