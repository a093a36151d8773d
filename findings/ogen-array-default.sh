#!/bin/sh
# ogen: one array with a default, and the whole API gets no client and no server.
#
# Version:   ogen v1.14.0
# Date:      2026-11-28
# Behaviour: A query parameter is an array with a default. ogen stops, as array defaults are not implemented, and writes
#            nothing for any operation. With `ignore_not_implemented` it leaves the operation out. A default
#            of a string is fine.
# Guess:     Code for the API, with the default as for strings, or at least without it.
# Matters:   A server that documents a default list cannot be used from Go with ogen, until somebody edits its document.
#
# Usage: sh ogen-array-default.sh    (needs Go)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> default of string: exit status 0
#>   code: written
#> default of array: exit status 1
#>   message: "array defaults" is not implemented
#>   code: none
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

{ go mod init show && go get github.com/ogen-go/ogen/cmd/ogen@v1.14.0; } > log 2>&1 || { cat log >&2; exit 2; }
go build -o ogen github.com/ogen-go/ogen/cmd/ogen >> log 2>&1 || { cat log >&2; exit 2; }

for kind in string array; do
  if [ $kind = string ]; then
    schema='{ type: string, default: post }'
  else
    schema='{ type: array, items: { type: string }, default: [post] }'
  fi
  cat > $kind.yaml <<SCRIPT
openapi: 3.0.3
info: { title: Search, version: '1' }
paths:
  /search:
    get:
      operationId: search
      parameters: [{ name: type, in: query, schema: $schema }]
      responses: { '204': { description: Done } }
  /health:
    get: { operationId: health, responses: { '204': { description: Done } } }
SCRIPT
  status=0
  NO_COLOR=1 ./ogen --target $kind --clean $kind.yaml > log 2>&1 || status=$?
  echo "default of $kind: exit status $status"
  grep -o -m 1 '"array defaults" is not implemented' log | sed 's/^/  message: /' || true
  if [ -e $kind/oas_client_gen.go ]; then echo '  code: written'; else echo '  code: none'; fi
done > seen

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
