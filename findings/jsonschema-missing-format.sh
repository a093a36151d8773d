#!/bin/sh
# jsonschema (Python): with a FormatChecker, `format: date-time` accepts each text, unless a second package is
# installed.
#
# Version:   jsonschema 4.26.0, rfc3339-validator 0.1.4
# Date:      2026-11-28
# Behaviour: The validator has a FormatChecker. Without rfc3339-validator, `date-time` accepts the text `tomorrow`, as
#            do `uri` and `hostname`; `date`, `email` and `uuid` are checked. After installation of rfc3339-validator,
#            the same code refuses it.
# Guess:     A FormatChecker checks the formats of the draft, or raises an error for those which it cannot check.
# Matters:   Whether a server validates dates depends on packages that its code does not import. A test on a machine
#            with more packages is green, while production accepts all. The extra `jsonschema[format]` installs the
#            packages.
#
# Usage: sh jsonschema-missing-format.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> jsonschema alone
#>   date: refuses
#>   date-time: accepts
#>   email: refuses
#>   hostname: accepts
#>   uri: accepts
#>   uuid: refuses
#> with rfc3339-validator
#>   date: refuses
#>   date-time: refuses
#>   email: refuses
#>   hostname: accepts
#>   uri: accepts
#>   uuid: refuses
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet jsonschema==4.26.0 || exit 2

cat > show.py <<'SCRIPT'
from jsonschema import Draft202012Validator, FormatChecker

for name in ("date", "date-time", "email", "hostname", "uri", "uuid"):
    validator = Draft202012Validator({"format": name}, format_checker=FormatChecker())
    print(f"  {name}: {'accepts' if validator.is_valid('to morrow') else 'refuses'}")
SCRIPT
{
  echo 'jsonschema alone'
  venv/bin/python show.py || exit 2
  venv/bin/pip install --quiet rfc3339-validator==0.1.4 || exit 2
  echo 'with rfc3339-validator'
  venv/bin/python show.py || exit 2
} > seen

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
