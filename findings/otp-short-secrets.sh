#!/bin/sh
# TOTP: a secret of 16 characters works in otpauth, and is too short for otplib (128 bits) and for pyotp (112 bits).
#
# Version:   otplib 13.5.0, otpauth 9.5.2, pyotp 2.12.1
# Date:      2026-11-28
# Behaviour: Codes are made for secrets of 80, 120 and 160 bits. otpauth gives all. pyotp refuses the first, and otplib
#            the first two.
# Guess:     A code for each: many services have given secrets of 80 bits (16 characters), and authenticator apps take
#            them.
# Matters:   After an update or a change of the library, users who enrolled with such a secret cannot sign in, while new
#            users can. A secret of 120 bits from one of the libraries' services is an error in another's.
# Not a bug: RFC 4226 §4 (R6) says that a secret has at least 128 bits. But pyotp's limit is another, and old secrets
#            exist.
#
# Usage: sh otp-short-secrets.sh    (needs npm, Node and Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> otpauth, 80 bits: 324550
#> otpauth, 120 bits: 150598
#> otpauth, 160 bits: 406058
#> otplib, 80 bits: SecretTooShortError: Secret must be at least 16 bytes (128 bits), got 10 bytes
#> otplib, 120 bits: SecretTooShortError: Secret must be at least 16 bytes (128 bits), got 15 bytes
#> otplib, 160 bits: 406058
#> pyotp, 80 bits: ValueError: Secrets must be at least 112 bits after decoding
#> pyotp, 120 bits: 150598
#> pyotp, 160 bits: 406058
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact otplib@13.5.0 otpauth@9.5.2 || exit 2
python3 -m venv venv
venv/bin/pip install --quiet pyotp==2.12.1 || exit 2

cat > show.js <<'SCRIPT'
import { TOTP } from 'otpauth';
import { generateSync } from 'otplib';

const libraries = {
  otpauth: (secret) => new TOTP({ secret }).generate({ timestamp: 1_700_000_000_000 }),
  otplib: (secret) => generateSync({ secret, epoch: 1_700_000_000 }),
};
for (const [name, generate] of Object.entries(libraries)) {
  for (const secret of process.argv.slice(2)) {
    try {
      console.log(`${name}, ${secret.length * 5} bits: ${generate(secret)}`);
    } catch (error) {
      console.log(`${name}, ${secret.length * 5} bits: ${error.name}: ${error.message}`);
    }
  }
}
SCRIPT
cat > show.py <<'SCRIPT'
import sys

import pyotp

for secret in sys.argv[1:]:
    try:
        print(f"pyotp, {len(secret) * 5} bits: {pyotp.TOTP(secret).at(1_700_000_000)}")
    except ValueError as error:
        print(f"pyotp, {len(secret) * 5} bits: ValueError: {error}")
SCRIPT
set -- JBSWY3DPEHPK3PXP JBSWY3DPEHPK3PXPJBSWY3DP JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
{ node show.js "$@" && venv/bin/python show.py "$@"; } > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
