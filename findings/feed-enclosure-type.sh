#!/bin/sh
# feed (npm): the type of a sound or film in the RSS feed is `audio/mpeg`, and in the Atom feed of the same item
# `image/mp3`.
#
# Version:   feed 6.0.0
# Date:      2026-11-28
# Behaviour: An item has a URL, a type and a length as `enclosure`, `audio`, `video` or `image`. `rss2()` writes the
#            given type. `atom1()` makes one from the name of the field and the ending of the URL, with `image/` for
#            `enclosure`.
# Guess:     The given type in both.
# Matters:   Readers take a podcast for a picture in the Atom feed. A type without a registration (`image/mp3`) has no
#            player.
#
# Usage: sh feed-enclosure-type.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> enclosure
#>   rss2: audio/mpeg
#>   atom1: image/mp3
#> audio
#>   rss2: audio/mpeg
#>   atom1: audio/mp3
#> video
#>   rss2: audio/mpeg
#>   atom1: video/mp3
#> image
#>   rss2: audio/mpeg
#>   atom1: image/mp3
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact feed@6.0.0 || exit 2

cat > show.js <<'SCRIPT'
import { Feed } from 'feed';

const media = { url: 'https://cast.example/1.mp3', type: 'audio/mpeg', length: 12_345 };
for (const field of ['enclosure', 'audio', 'video', 'image']) {
  const feed = new Feed({ title: 'Cast', id: 'https://cast.example/', copyright: 'none' });
  feed.addItem({ title: 'One', link: 'https://cast.example/1', date: new Date(0), [field]: media });
  console.log(field);
  for (const format of ['rss2', 'atom1']) {
    console.log(`  ${format}: ${/type="(?!html)([^"]+)"/.exec(feed[format]())?.[1] ?? 'no enclosure'}`);
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
