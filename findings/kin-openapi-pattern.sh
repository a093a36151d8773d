#!/bin/sh
# kin-openapi: one `pattern` with a lookahead makes the whole OpenAPI document invalid; Ajv uses it.
#
# Version:   kin-openapi v0.153.0, ajv 8.20.0
# Date:      2026-11-28
# Behaviour: A schema has the pattern `^(?!admin$)[a-z]+$`. kin-openapi loads the document, but its validation fails
#            with an error of Go's regular expressions, and so does the validation of each value. Ajv accepts `alice`
#            and refuses `admin`.
# Guess:     Valid: OpenAPI 3.0 wants patterns of ECMA-262, which has lookaheads.
# Matters:   Gateways and generators in Go that validate documents with kin-openapi refuse the API as a whole. A server
#            avoids it with patterns without lookaheads and back references.
#
# Usage: sh kin-openapi-pattern.sh    (needs npm, Node and Go)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> ajv, alice: valid
#> ajv, admin: refused
#> kin-openapi, document: invalid components: schema "Name": error parsing regexp: invalid or unsupported ...
#> kin-openapi, alice: error parsing regexp: invalid or unsupported Perl syntax: `(?!`
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact ajv@8.20.0 || exit 2
{ go mod init show && go get github.com/getkin/kin-openapi@v0.153.0; } > log 2>&1 || { cat log >&2; exit 2; }

cat > api.json <<'SCRIPT'
{
  "openapi": "3.0.3",
  "info": { "title": "Names", "version": "1" },
  "paths": {},
  "components": { "schemas": { "Name": { "type": "string", "pattern": "^(?!admin$)[a-z]+$" } } }
}
SCRIPT
cat > show.js <<'SCRIPT'
import { readFileSync } from 'node:fs';

import Ajv from 'ajv';

const { components } = JSON.parse(readFileSync('api.json', 'utf8'));
const validate = new Ajv.default().compile(components.schemas.Name);
for (const name of ['alice', 'admin']) console.log(`ajv, ${name}: ${validate(name) ? 'valid' : 'refused'}`);
SCRIPT
cat > main.go <<'SCRIPT'
package main

import (
	"context"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	document, err := openapi3.NewLoader().LoadFromFile("api.json")
	if err != nil {
		panic(err)
	}
	fmt.Printf("kin-openapi, document: %.80s...\n", document.Validate(context.Background()))
	fmt.Println("kin-openapi, alice:", document.Components.Schemas["Name"].Value.VisitJSON("alice"))
}
SCRIPT
{ node show.js && go mod tidy > log 2>&1 && go run .; } > seen || { cat log >&2; exit 2; }

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
