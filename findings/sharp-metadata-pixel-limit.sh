#!/bin/sh
# sharp: `metadata()` of a picture above `limitInputPixels` raises, although it reads the header only.
#
# Version:   sharp 0.35.5, image-size 2.1.0
# Date:      2026-11-28
# Behaviour: A PNG has 300 by 300 pixels, and the limit is 10 000. `metadata()` raises `Input image exceeds pixel
#            limit`. It gives the size where the limit is off, and so does image-size from the same bytes.
# Guess:     `metadata()` gives width and height, so that the caller can say which limit the picture exceeds.
# Matters:   A server with a limit cannot tell a picture that is too large from a damaged one, but by the text of the
#            message; it answers "not a picture" to a user with a large photograph.
#
# Usage: sh sharp-metadata-pixel-limit.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> sharp, limit of 10000 pixels: Error without a code: true, Input image exceeds pixel limit
#> sharp, cut file, same limit: Error without a code: true, Input buffer has corrupt header:
#> sharp, no limit: 300 x 300
#> image-size: 300 x 300
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact sharp@0.35.5 image-size@2.1.0 || exit 2

cat > show.js <<'SCRIPT'
import { imageSize } from 'image-size';
import sharp from 'sharp';

const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } }).png().toBuffer();
const readers = {
  'sharp, limit of 10000 pixels': () => sharp(picture, { limitInputPixels: 10_000 }).metadata(),
  'sharp, cut file, same limit': () => sharp(picture.subarray(0, 20), { limitInputPixels: 10_000 }).metadata(),
  'sharp, no limit': () => sharp(picture, { limitInputPixels: false }).metadata(),
  'image-size': () => imageSize(picture),
};
for (const [name, read] of Object.entries(readers)) {
  try {
    const { width, height } = await read();
    console.log(`${name}: ${width} x ${height}`);
  } catch (error) {
    console.log(`${name}: ${error.name} without a code: ${error.code === undefined}, ${error.message.split('\n')[0]}`);
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
