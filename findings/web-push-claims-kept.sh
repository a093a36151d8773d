#!/bin/sh
# pywebpush: claims that are used for two push services name the first one both times.
#
# Version:   pywebpush 2.5.0, py-vapid 1.9.6
# Date:      2026-11-29
# Behaviour: webpush() writes `aud` and `exp` into the dictionary of claims that it is given. A program that keeps its claims in one
#            dictionary signs for the push service of the first browser in each message to browsers of other makers, too.
# Guess:     Each message is signed for the origin of its own endpoint (RFC 8292 §2).
# Matters:   A push service must refuse a token for another one. Tests with one browser never show it.
#
# Usage: sh web-push-claims-kept.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> one dictionary: the first message names its own push service, the second the other
#> a copy each: the first message names its own push service, the second its own
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

{ python3 -m venv venv && venv/bin/pip install --quiet pywebpush==2.5.0 py-vapid==1.9.6; } > log 2>&1 ||
  { cat log >&2; exit 2; }

venv/bin/python - > seen <<'SCRIPT' || exit 2
import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid
from pywebpush import webpush

audiences = []


class PushService(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        token = self.headers["Authorization"].split("t=")[1].split(",")[0]
        payload = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        audiences.append(payload["aud"] == f"http://127.0.0.1:{self.server.server_port}")
        self.send_response(201)
        self.end_headers()

    def log_message(self, *args):
        pass


def encode(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


services = [HTTPServer(("127.0.0.1", 0), PushService) for _ in range(2)]
for service in services:
    threading.Thread(target=service.serve_forever, daemon=True).start()
browser = ec.generate_private_key(ec.SECP256R1()).public_key()
keys = {"p256dh": encode(browser.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)), "auth": encode(bytes(16))}
sender = Vapid()
sender.generate_keys()


def send(name, claims_of):
    audiences.clear()
    claims = {"sub": "mailto:operator@example.org"}
    for service in services:
        endpoint = f"http://127.0.0.1:{service.server_port}/browser"
        subscription = {"endpoint": endpoint, "keys": keys}
        webpush(subscription, "hello", vapid_private_key=sender, vapid_claims=claims_of(claims))
    first, second = ("its own" if own else "the other" for own in audiences)
    print(f"{name}: the first message names {first} push service, the second {second}")


send("one dictionary", lambda claims: claims)
send("a copy each", dict)
SCRIPT

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
