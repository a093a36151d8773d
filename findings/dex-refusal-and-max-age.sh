#!/bin/sh
# dex: who presses "Cancel" gets an error page with status 500, and the client never hears of it; `max_age` has no effect.
#
# Version:   dex v2.45.1
# Date:      2026-11-29
# Behaviour: A person signs in at dex and presses "Cancel" where dex asks whether the client may know who they are. dex
#            shows an error page with status 500 and does not lead back. A second request of the same person has
#            `max_age=0`. The ID token has no `auth_time`.
# Guess:     `error=access_denied` at the redirect URI (RFC 6749 §4.1.2.1). `auth_time`: with `max_age` "the ID Token returned
#            MUST include an auth_time Claim Value" (OpenID Connect Core 1.0 §3.1.2.1).
# Matters:   A client cannot offer another way to sign in, and errors of dex count in its operator's metrics. A client that wants
#            a recent sign-in refuses each response (openid-client does), or accepts one that may be old.
#
# Usage: sh dex-refusal-and-max-age.sh    (needs curl and Python 3, and dex: DEX_PATH, or git and Go to build it)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> dex v2.45.1
#> Cancel: 500, no Location, Approval rejected.
#> Grant Access: 303, leads to the client with code, state
#> max_age=0: the ID token has at_hash, aud, c_hash, email, email_verified, exp, iat, iss, name, nonce, sub
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

if [ -z "${DEX_PATH:-}" ]; then
  git clone --quiet --depth 1 --branch v2.45.1 https://github.com/dexidp/dex source > log 2>&1 || { cat log >&2; exit 2; }
  (cd source && CGO_ENABLED=0 go build -ldflags '-X main.version=v2.45.1' -o ../dex ./cmd/dex) > log 2>&1 || { cat log >&2; exit 2; }
  DEX_PATH=$folder/dex
fi

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
issuer=http://127.0.0.1:$port
# The password is "password".
cat > dex.yaml <<CONFIGURATION
issuer: $issuer
storage: { type: memory }
web: { http: 127.0.0.1:$port }
staticClients: [{ id: client, secret: secret, name: Client, redirectURIs: ['http://127.0.0.1:9/callback'] }]
enablePasswordDB: true
staticPasswords:
  - { email: a@example.org, username: a, userID: a, hash: '\$2a\$10\$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W' }
CONFIGURATION
"$DEX_PATH" serve dex.yaml > dex.log 2>&1 &
dex=$!
trap 'kill $dex 2> /dev/null; rm -rf "$folder"' EXIT
tries=0
until curl -fs -o /dev/null "$issuer/.well-known/openid-configuration"; do
  tries=$((tries + 1))
  [ $tries -lt 100 ] && kill -0 $dex 2> /dev/null || { cat dex.log >&2; exit 2; }
  sleep 0.1
done

# Signs in and presses a button of the page that asks: the status, where it leads, and the page.
press() {
  request="client_id=client&response_type=code&scope=openid%20email%20profile&state=s&nonce=n&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback$2"
  login=$(curl -sL -o /dev/null -w '%{url_effective}' "$issuer/auth?$request")
  approval=$(curl -s -o /dev/null -w '%{redirect_url}' --data-urlencode login=a@example.org -d password=password "$login")
  asked=$(curl -s "$approval" | sed -n 's/.*name="req" value="\([^"]*\)".*/\1/p' | head -n 1)
  curl -s -D headers -o page -d "req=$asked" -d "approval=$1" "$approval"
}

{
  "$DEX_PATH" version | sed -n 's/^Dex Version: /dex /p'
  press rejected ''
  printf 'Cancel: %s, ' "$(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' headers)"
  if grep -qi '^location:' headers; then printf 'a Location, '; else printf 'no Location, '; fi
  grep -o 'Approval rejected\.' page
  press approve '&max_age=0'
  python3 - "$issuer" <<'SCRIPT'
import base64, json, re, sys, urllib.parse, urllib.request

headers = open('headers').read()
location = urllib.parse.urlsplit(re.search(r'(?im)^location: (\S+)', headers).group(1))
query = dict(urllib.parse.parse_qsl(location.query))
print(f'Grant Access: {headers.split()[1]}, leads to the client with {", ".join(sorted(query))}')
form = {'grant_type': 'authorization_code', 'code': query['code'], 'redirect_uri': 'http://127.0.0.1:9/callback'}
request = urllib.request.Request(sys.argv[1] + '/token', urllib.parse.urlencode(form).encode())
request.add_header('Authorization', 'Basic ' + base64.b64encode(b'client:secret').decode())
payload = json.load(urllib.request.urlopen(request))['id_token'].split('.')[1]
claims = json.loads(base64.urlsafe_b64decode(payload + '=='))
print(f'max_age=0: the ID token has {", ".join(sorted(claims))}')
SCRIPT
} > seen 2> errors || { cat errors dex.log >&2; exit 2; }

cat seen
diff described seen
