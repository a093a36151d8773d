#!/bin/sh
# ZIP writers: the same Date is stored in UTC by JSZip and archiver, and in local time by yazl and fflate.
#
# Version:   jszip 3.10.2, archiver 8.0.0, yazl 3.3.1, fflate 0.8.3
# Date:      2026-11-28
# Behaviour: A file dated 2026-11-28 12:00 UTC is written by a process in New York. The entry says 12:00 in archives of
#            JSZip and archiver, and 07:00 in those of yazl and fflate. The field has no time zone.
# Guess:     One of them: readers take the field as local time, as ZIP has it from DOS.
# Matters:   A user west of Greenwich unpacks an export with files from the future, which tools for builds and copies
#            treat as changed. A change of the library moves all times by hours. A server that runs in UTC hides it in
#            tests.
#
# Usage: sh zip-entry-time-zone.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> jszip: 12:00
#> archiver: 12:00
#> yazl: 07:00
#> fflate: 07:00
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  jszip@3.10.2 archiver@8.0.0 yazl@3.3.1 fflate@0.8.3 || exit 2

cat > show.js <<'SCRIPT'
import { buffer } from 'node:stream/consumers';

import { ZipArchive } from 'archiver';
import { zipSync } from 'fflate';
import JSZip from 'jszip';
import { ZipFile } from 'yazl';

const date = new Date('2026-11-28T12:00:00Z');
const show = (name, archive) => {
  const time = Buffer.from(archive).readUInt16LE(10);
  const minutes = String((time >> 5) & 63).padStart(2, '0');
  console.log(`${name}: ${String(time >> 11).padStart(2, '0')}:${minutes}`);
};

show('jszip', await new JSZip().file('a.txt', 'text', { date }).generateAsync({ type: 'nodebuffer' }));
const archiver = new ZipArchive();
archiver.append('text', { name: 'a.txt', date });
archiver.finalize();
show('archiver', await buffer(archiver));
const yazl = new ZipFile();
yazl.addBuffer(Buffer.from('text'), 'a.txt', { mtime: date });
yazl.end();
show('yazl', await buffer(yazl.outputStream));
show('fflate', zipSync({ 'a.txt': [Buffer.from('text'), { mtime: date }] }));
SCRIPT
TZ=America/New_York node show.js > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
