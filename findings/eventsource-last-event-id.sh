#!/bin/sh
# eventsource (npm): an event without an `id` of its own has an empty `lastEventId`; httpx-sse keeps the last one.
#
# Version:   eventsource 4.1.1, eventsource-parser 3.1.1, httpx-sse 0.4.3
# Date:      2026-11-28
# Behaviour: The second of two events has no `id`. eventsource and eventsource-parser give it none, httpx-sse gives it
#            the id of the first. eventsource itself remembers the id: when it connects again, it sends `Last-Event-ID:
#            41`.
# Guess:     Both events have `41`: a message takes "the last event ID string of the event source" (HTML Standard,
#            9.2.6), and a block without `id` does not change it.
# Matters:   A client that stores `event.lastEventId` after each event, to resume there after a restart, stores an
#            empty string, and starts from the beginning or misses everything. Servers can send `id` with each event.
#
# Usage: sh eventsource-last-event-id.sh    (needs npm, Node and Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> eventsource-parser
#>   first: 41
#>   second: undefined
#> eventsource
#>   first: "41"
#>   second: ""
#>   next request: Last-Event-ID: 41
#> httpx-sse
#>   first: '41'
#>   second: '41'
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  eventsource@4.1.1 eventsource-parser@3.1.1 || exit 2
python3 -m venv venv
venv/bin/pip install --quiet httpx-sse==0.4.3 httpx==0.28.1 || exit 2

cat > show.js <<'SCRIPT'
import { createServer } from 'node:http';

import { EventSource } from 'eventsource';
import { createParser } from 'eventsource-parser';

const stream = 'retry: 10\n\nid: 41\ndata: first\n\ndata: second\n\n';
console.log('eventsource-parser');
createParser({ onEvent: ({ data, id }) => console.log(`  ${data}: ${id}`) }).feed(stream);
console.log('eventsource');
const server = createServer((request, response) => {
  const last = request.headers['last-event-id'];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (last === undefined) {
    response.end(stream);
    return;
  }
  console.log(`  next request: Last-Event-ID: ${last}`);
  process.exit(0);
});
server.listen(0, '127.0.0.1', () => {
  const source = new EventSource(`http://127.0.0.1:${server.address().port}/`);
  source.onmessage = ({ data, lastEventId }) => console.log(`  ${data}: ${JSON.stringify(lastEventId)}`);
});
setTimeout(() => process.exit(2), 30_000);
SCRIPT
cat > show.py <<'SCRIPT'
import httpx
import httpx_sse

stream = b"id: 41\ndata: first\n\ndata: second\n\n"
response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=stream)
print("httpx-sse")
for event in httpx_sse.EventSource(response).iter_sse():
    print(f"  {event.data}: {event.id!r}")
SCRIPT
{ node show.js && venv/bin/python show.py; } > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
