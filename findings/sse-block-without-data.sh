#!/bin/sh
# Server-sent events: a block with only `id:`, `retry:` or `event:` is an empty event to httpx-sse, and nothing to
# others.
#
# Version:   httpx-sse 0.4.3, sseclient-py 1.9.0
# Date:      2026-11-28
# Behaviour: A stream has three blocks without a `data` field and one with it. httpx-sse yields four events, three with
#            an empty string as data. sseclient-py yields one.
# Guess:     One event. "If the data buffer is an empty string, set the data buffer and the event type buffer to the
#            empty string and return" (HTML Standard, 9.2.6).
# Matters:   Servers send such blocks to set the time of reconnection or to move the resume point, often as the first
#            thing. A client that calls `event.json()` for each event gets a JSONDecodeError there.
#
# Usage: sh sse-block-without-data.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> httpx-sse
#>   message '', json(): JSONDecodeError
#>   message '', json(): JSONDecodeError
#>   delete '', json(): JSONDecodeError
#>   message '{}', json(): {}
#> sseclient-py
#>   message '{}'
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet httpx-sse==0.4.3 httpx==0.28.1 sseclient-py==1.9.0 || exit 2

cat > show.py <<'SCRIPT'
import httpx
import httpx_sse
import sseclient

STREAM = b"retry: 5000\n\nid: 41\n\nevent: delete\n\nid: 42\ndata: {}\n\n"

response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=STREAM)
print("httpx-sse")
for event in httpx_sse.EventSource(response).iter_sse():
    try:
        parsed = event.json()
    except ValueError as error:
        parsed = type(error).__name__
    print(f"  {event.event} {event.data!r}, json(): {parsed}")
print("sseclient-py")
for event in sseclient.SSEClient([STREAM]).events():
    print(f"  {event.event} {event.data!r}")
SCRIPT
venv/bin/python show.py > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
