#!/bin/sh
# requests and httpx: a semicolon in a link's title hides the next page, and one in the URL cuts the URL.
#
# Version:   requests 2.34.2, httpx 0.28.1
# Date:      2026-11-28
# Behaviour: `Response.links` of both has no `next` if a title before the relation has a semicolon. A URL with a
#            semicolon ends there, and the rest and the relation are lost. `rel="next last"` is one relation of that
#            name.
# Guess:     `links["next"]` is the next page in all three. Semicolons in URLs and in quoted strings separate nothing,
#            and `rel` holds a list of relations with spaces between them (RFC 8288 §3, §3.3).
# Matters:   A loop `while "next" in response.links` ends after the first page, or asks for a URL that the server never
#            gave.
#
# Usage: sh link-header-python-semicolon.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> <https://api.example/posts?page=2>; title="Page 2; newest first"; rel="next"
#>   requests: 'https://api.example/posts?page=2' is https://api.example/posts?page=2
#>   httpx:    'https://api.example/posts?page=2' is https://api.example/posts?page=2
#> <https://api.example/posts;v=1?page=2>; rel="next"
#>   requests: 'https://api.example/posts' is https://api.example/posts
#>   httpx:    'https://api.example/posts' is https://api.example/posts
#> <https://api.example/posts?page=2>; rel="next last"
#>   requests: 'next last' is https://api.example/posts?page=2
#>   httpx:    'next last' is https://api.example/posts?page=2
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet requests==2.34.2 httpx==0.28.1 || exit 2

cat > show.py <<'SCRIPT'
import httpx
import requests

for header in (
    '<https://api.example/posts?page=2>; title="Page 2; newest first"; rel="next"',
    '<https://api.example/posts;v=1?page=2>; rel="next"',
    '<https://api.example/posts?page=2>; rel="next last"',
):
    print(header)
    response = requests.Response()
    response.headers["Link"] = header
    for name, links in (
        ("requests", response.links),
        ("httpx", httpx.Response(200, headers={"Link": header}).links),
    ):
        for key, link in links.items():
            print(f"  {name + ':':9} {key!r} is {link['url']}")
SCRIPT
venv/bin/python show.py > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
