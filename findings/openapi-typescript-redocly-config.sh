#!/bin/sh
# openapi-typescript: a `redocly.yaml` in the working directory replaces the input and the output of the command line.
#
# Version:   openapi-typescript 7.10.1
# Date:      2026-11-28
# Behaviour: `openapi-typescript mine.yaml -o mine.ts` runs in a folder whose `redocly.yaml` names another API with
#            `x-openapi-ts`. The tool writes that API's types only, and exits with 0. `mine.ts` does not exist; a
#            warning is all.
# Guess:     The arguments of a command line win over a file of configuration.
# Matters:   In a repository with several APIs, a step of CI goes green and leaves the old types in place, for as long
#            as they are committed. Whether it does depends on the folder from which the command runs.
#
# Usage: sh openapi-typescript-redocly-config.sh    (needs npm and Node)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> without redocly.yaml: exit status 0
#>   mine.ts: written
#>   other.ts: does not exist
#> with redocly.yaml: exit status 0
#>   mine.ts: does not exist
#>   other.ts: written
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  openapi-typescript@7.10.1 typescript@5.9.3 || exit 2

for name in mine other; do
  cat > $name.yaml <<SCRIPT
openapi: 3.1.0
info: { title: $name, version: '1' }
paths: {}
components: { schemas: { $name: { type: string } } }
SCRIPT
done
cat > redocly.yaml <<'SCRIPT'
apis:
  other:
    root: other.yaml
    x-openapi-ts: { output: other.ts }
SCRIPT
{
  for configuration in without with; do
    if [ "$configuration" = without ]; then mv redocly.yaml aside.yaml; else mv aside.yaml redocly.yaml; fi
    rm -f mine.ts other.ts
    status=0
    node_modules/.bin/openapi-typescript mine.yaml -o mine.ts > log 2>&1 || status=$?
    echo "$configuration redocly.yaml: exit status $status"
    for name in mine other; do
      if [ -e $name.ts ]; then echo "  $name.ts: written"; else echo "  $name.ts: does not exist"; fi
    done
  done
} > seen

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
