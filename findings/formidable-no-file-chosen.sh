#!/bin/sh
# formidable: a browser's form with a file field that the user left empty is refused as a whole.
#
# Version:   formidable 3.5.4, busboy 1.6.0
# Date:      2026-11-28
# Behaviour: A form has a name and an optional picture. Without a chosen file, browsers and `FormData` send the part
#            with `filename=""` and no bytes. formidable raises an error with the HTTP status 400, and the name is lost
#            with it. busboy reports the name, and a file without a file name.
# Guess:     The form arrives without a file, or with an empty one: HTML has browsers send the part like this.
# Matters:   Each form with an optional file fails for users who do not choose one. `allowEmptyFiles: true` with
#            `minFileSize: 0` avoids it, but lets real empty files in too.
#
# Usage: sh formidable-no-file-chosen.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> formidable
#>   400: options.allowEmptyFiles is false, file size should be greater than 0
#> formidable, allowEmptyFiles, minFileSize: 0
#>   {"name":["Alice"]}, files: picture
#> busboy
#>   field name: Alice
#>   file picture: name undefined
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact formidable@3.5.4 busboy@1.6.0 || exit 2

cat > show.js <<'SCRIPT'
import { once } from 'node:events';
import { createServer } from 'node:http';

import busboy from 'busboy';
import formidable from 'formidable';

async function withFormidable(request, options) {
  try {
    const [fields, files] = await formidable({ uploadDir: '.', ...options }).parse(request);
    console.log(`  ${JSON.stringify(fields)}, files: ${Object.keys(files)}`);
  } catch (error) {
    console.log(`  ${error.httpCode}: ${error.message}`);
  }
}

async function withBusboy(request) {
  const parser = busboy({ headers: request.headers });
  parser.on('field', (name, value) => console.log(`  field ${name}: ${value}`));
  parser.on('file', (name, stream, { filename }) => {
    console.log(`  file ${name}: name ${filename}`);
    stream.resume();
  });
  request.pipe(parser);
  await once(parser, 'close');
}

for (const [name, read] of Object.entries({
  formidable: withFormidable,
  'formidable, allowEmptyFiles, minFileSize: 0': (request) =>
    withFormidable(request, { allowEmptyFiles: true, minFileSize: 0 }),
  busboy: withBusboy,
})) {
  console.log(name);
  const server = createServer((request, response) => read(request).finally(() => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const body = new FormData();
  body.set('name', 'Alice');
  body.set('picture', new File([], '', { type: 'application/octet-stream' }));
  await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', body });
  server.close();
  server.closeAllConnections();
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
