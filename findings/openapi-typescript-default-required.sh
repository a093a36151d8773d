#!/bin/sh
# openapi-typescript: an optional property with a default is required in the types, also in the body of a request.
#
# Version:   openapi-typescript 7.10.1, @hey-api/openapi-ts 0.99.0
# Date:      2026-11-28
# Behaviour: A schema has the properties `text` (required) and `visibility` (optional, with a default). The same schema
#            is the body of a request and of an answer. openapi-typescript writes `visibility: string` for both.
#            @hey-api/openapi-ts writes `visibility?: string` for both.
# Guess:     Optional in a request, where the default exists so that the client may leave it out.
# Matters:   A call without the property is right, but has an error of types: clients repeat all defaults, and keep
#            sending the old one after the server's default changes. `--default-non-nullable false` avoids it, for
#            answers too.
#
# Usage: sh openapi-typescript-default-required.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> openapi-typescript
#>   text: string;
#>   visibility: string;
#> @hey-api/openapi-ts
#>   text: string;
#>   visibility?: string;
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  openapi-typescript@7.10.1 @hey-api/openapi-ts@0.99.0 typescript@5.9.3 || exit 2

cat > api.yaml <<'SCRIPT'
openapi: 3.1.0
info: { title: Posts, version: '1' }
paths:
  /posts:
    post:
      operationId: createPost
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Post' } } } }
      responses:
        '200': { description: Done, content: { application/json: { schema: { $ref: '#/components/schemas/Post' } } } }
components:
  schemas:
    Post:
      type: object
      required: [text]
      properties: { text: { type: string }, visibility: { type: string, default: public } }
SCRIPT
node_modules/.bin/openapi-typescript api.yaml -o first.ts > log 2>&1 || { cat log >&2; exit 2; }
node_modules/.bin/openapi-ts -i api.yaml -o second -p @hey-api/typescript > log 2>&1 || { cat log >&2; exit 2; }
{
  echo 'openapi-typescript'
  grep -E '^ *(text|visibility)\??:' first.ts | sed 's/^ */  /'
  echo '@hey-api/openapi-ts'
  grep -E '^ *(text|visibility)\??:' second/types.gen.ts | sed 's/^ */  /'
} > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
