#!/bin/sh
# ogen: two responses with one schema and different headers, and the generated Go does not compile.
#
# Version:   ogen v1.14.0
# Date:      2026-11-28
# Behaviour: GET /a and GET /b answer with the same schema. /a documents the header ETag, /b the header Link. ogen exits with
#            0, but the code refers to a header that the one type for both lacks. With the same header in both, it compiles.
# Guess:     Headers belong to a response, and schemas to its body.
# Matters:   A server that documents an ETag where it sends one has no client in Go from ogen.
#
# Usage: sh ogen-shared-schema-headers.sh    (needs Go)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> the same header: exit status 0, compiles
#> another header: exit status 0, does not compile
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

{ go mod init show && go get github.com/ogen-go/ogen/cmd/ogen@v1.14.0; } > log 2>&1 || { cat log >&2; exit 2; }
go build -o ogen github.com/ogen-go/ogen/cmd/ogen >> log 2>&1 || { cat log >&2; exit 2; }

tag='headers: { ETag: { schema: { type: string } } },'
for kind in same another; do
  if [ $kind = same ]; then other=$tag; else other='headers: { Link: { schema: { type: string } } },'; fi
  cat > $kind.yaml <<SCRIPT
openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200': { description: A, $tag content: { application/json: { schema: { \$ref: '#/components/schemas/Note' } } } }
  /b:
    get:
      operationId: b
      responses:
        '200': { description: B, $other content: { application/json: { schema: { \$ref: '#/components/schemas/Note' } } } }
components:
  schemas:
    Note: { type: object, required: [text], properties: { text: { type: string } } }
SCRIPT
  NO_COLOR=1 ./ogen --target $kind --package $kind --clean $kind.yaml > log 2>&1 || { cat log >&2; exit 2; }
  go mod tidy > log 2>&1 || { cat log >&2; exit 2; }
  case $kind in same) name='the same header' ;; *) name='another header' ;; esac
  if go vet ./$kind > log 2>&1; then echo "$name: exit status 0, compiles"; else
    grep -q 'undefined' log || { cat log >&2; exit 2; }
    echo "$name: exit status 0, does not compile"
  fi
done > seen

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
