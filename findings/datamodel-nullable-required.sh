#!/bin/sh
# datamodel-code-generator: a required property that may be null must not be null.
#
# Version:   datamodel-code-generator 0.89.0, pydantic 2.13.4
# Date:      2026-11-28
# Behaviour: An OpenAPI 3.0 schema has `image`, required and `nullable: true`. The generated model refuses null there. An optional
#            one with `nullable: true` accepts it. With `--strict-nullable`, both do.
# Guess:     `nullable` means the same for required and optional properties.
# Matters:   A client fails on each response in which a member is null, until somebody finds the option.
#
# Usage: sh datamodel-nullable-required.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> by default: required refuses null, optional accepts null
#> --strict-nullable: required accepts null, optional accepts null
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

{ python3 -m venv venv && venv/bin/pip install --quiet datamodel-code-generator==0.89.0 pydantic==2.13.4; } > log 2>&1 ||
  { cat log >&2; exit 2; }

cat > api.yaml <<'SCRIPT'
openapi: 3.0.3
info: { title: Notes, version: '1' }
paths: {}
components:
  schemas:
    Required: { type: object, required: [image], properties: { image: { type: string, nullable: true } } }
    Optional: { type: object, properties: { image: { type: string, nullable: true } } }
SCRIPT

for option in '' --strict-nullable; do
  venv/bin/datamodel-codegen --input api.yaml --input-file-type openapi --output models.py \
    --output-model-type pydantic_v2.BaseModel $option > log 2>&1 || { cat log >&2; exit 2; }
  OPTION=${option:-by default} venv/bin/python - <<'SCRIPT' || exit 2
import os
from pydantic import ValidationError
import models

def answer(model):
    try:
        model.model_validate({"image": None})
        return "accepts null"
    except ValidationError:
        return "refuses null"

print(f"{os.environ['OPTION']}: required {answer(models.Required)}, optional {answer(models.Optional)}")
SCRIPT
done > seen

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
