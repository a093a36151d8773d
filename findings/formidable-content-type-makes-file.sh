#!/bin/sh
# formidable: a part of a form is a file if it has a Content-Type, and text if it has none; its file name does not
# matter.
#
# Version:   formidable 3.5.4, busboy 1.6.0
# Date:      2026-11-28
# Behaviour: A JSON part with `Content-Type: application/json` and no file name is a file in formidable; a part with a
#            file name and no Content-Type is a field, its bytes read as text. busboy takes the first as a field and the
#            second as a file.
# Guess:     A part with a file name is a file. RFC 7578 §4.4 makes Content-Type optional with text/plain as default for
#            each part, and §4.2 has the file name for "the content of a file".
# Matters:   A client that sends JSON beside a picture finds its field missing on a server with formidable, and
#            unexpected files in its folder. A picture without a Content-Type is damaged: its size differs below.
#
# Usage: sh formidable-content-type-makes-file.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> formidable
#>   picture: field, 10 bytes
#>   post: file, 2 bytes
#> busboy
#>   post: field, 2 bytes
#>   picture: file, 8 bytes
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

const picture = Buffer.from('89504e470d0a1a0a', 'hex');
const body = Buffer.concat([
  Buffer.from('--b\r\nContent-Type: application/json\r\nContent-Disposition: form-data; name="post"\r\n\r\n{}\r\n'),
  Buffer.from('--b\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n'),
  picture,
  Buffer.from('\r\n--b--\r\n'),
]);

async function withFormidable(request) {
  const [fields, files] = await formidable({ uploadDir: '.' }).parse(request);
  for (const [name, [text]] of Object.entries(fields)) {
    console.log(`  ${name}: field, ${Buffer.byteLength(text)} bytes`);
  }
  for (const [name, [file]] of Object.entries(files)) console.log(`  ${name}: file, ${file.size} bytes`);
}

async function withBusboy(request) {
  const parser = busboy({ headers: request.headers });
  parser.on('field', (name, value) => console.log(`  ${name}: field, ${Buffer.byteLength(value)} bytes`));
  parser.on('file', async (name, data) => console.log(`  ${name}: file, ${(await data.toArray())[0].length} bytes`));
  request.pipe(parser);
  await once(parser, 'close');
}

for (const [name, read] of Object.entries({ formidable: withFormidable, busboy: withBusboy })) {
  console.log(name);
  const server = createServer((request, response) => read(request).finally(() => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', headers, body });
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
