#!/bin/sh
# exifr: the time of a photograph is read in the time zone of the machine, though the photograph names its own.
#
# Version:   exifr 7.1.3, sharp 0.35.5 (writes the test picture)
# Date:      2026-11-28
# Behaviour: A picture has DateTimeOriginal 12:00 and OffsetTimeOriginal +09:00. exifr returns both, but its Date is
#            12:00 in the zone of the process: the same file is 12:00, 17:00 or 03:00 UTC. Only on a machine in Japan it
#            is right.
# Guess:     03:00 UTC everywhere: a Date is a moment, and Exif 2.31 has the offset to tell which one.
# Matters:   A server in UTC and a browser of a user disagree over the moment by hours, and stored times depend on the
#            machine. With `reviveValues: false` both tags are strings to put together.
#
# Usage: sh exifr-offset-time.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> UTC: 2026-11-28T12:00:00.000Z, offset +09:00
#> America/New_York: 2026-11-28T17:00:00.000Z, offset +09:00
#> Asia/Tokyo: 2026-11-28T03:00:00.000Z, offset +09:00
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact exifr@7.1.3 sharp@0.35.5 || exit 2

cat > show.js <<'SCRIPT'
import exifr from 'exifr';
import sharp from 'sharp';

const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .withExif({ IFD2: { DateTimeOriginal: '2026:11:28 12:00:00', OffsetTimeOriginal: '+09:00' } })
  .jpeg()
  .toBuffer();
const { DateTimeOriginal: date, OffsetTimeOriginal: offset } = await exifr.parse(picture);
console.log(`${process.env.TZ}: ${date.toISOString()}, offset ${offset}`);
SCRIPT
for zone in UTC America/New_York Asia/Tokyo; do
  TZ=$zone node show.js || exit 2
done > seen

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
