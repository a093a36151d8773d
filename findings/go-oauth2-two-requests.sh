#!/bin/sh
# golang.org/x/oauth2: each failed exchange of a code is sent twice, with the credentials in two places.
#
# Version:   golang.org/x/oauth2 v0.36.0
# Date:      2026-11-28
# Behaviour: The endpoint has no AuthStyle. The server answers `invalid_grant`. The client repeats the request at once,
#            first with HTTP Basic, then with `client_id` in the body. It does so for codes and for refresh tokens,
#            again at the next failure, and for a public client too, which sends a Basic header with an empty password
#            first.
# Guess:     One request: `invalid_grant` says that the code is wrong, not the client. A style is tried out once.
# Matters:   A server counts two attempts for one, and sees a code or refresh token again that it has just refused; a
#            public client gets `invalid_client` from strict servers before the right request. AuthStyleInParams or
#            InHeader avoids it.
#
# Usage: sh go-oauth2-two-requests.sh    (needs Go)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> confidential
#>   request with code-1: Basic "confidential" "secret"
#>   request with code-1: body "confidential" "secret"
#>   oauth2: "invalid_grant"
#>   request with code-2: Basic "confidential" "secret"
#>   request with code-2: body "confidential" "secret"
#>   oauth2: "invalid_grant"
#>   request with refresh-1: Basic "confidential" "secret"
#>   request with refresh-1: body "confidential" "secret"
#>   oauth2: "invalid_grant"
#> public
#>   request with code-1: Basic "public" ""
#>   request with code-1: body "public" ""
#>   oauth2: "invalid_grant"
#>   request with code-2: Basic "public" ""
#>   request with code-2: body "public" ""
#>   oauth2: "invalid_grant"
#>   request with refresh-1: Basic "public" ""
#>   request with refresh-1: body "public" ""
#>   oauth2: "invalid_grant"
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

{ go mod init show && go get golang.org/x/oauth2@v0.36.0; } > log 2>&1 || { cat log >&2; exit 2; }

cat > main.go <<'SCRIPT'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"golang.org/x/oauth2"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, secret, basic := r.BasicAuth()
		fmt.Printf("  request with %s%s: ", r.PostFormValue("code"), r.PostFormValue("refresh_token"))
		if basic {
			fmt.Printf("Basic %q %q\n", id, secret)
		} else {
			fmt.Printf("body %q %q\n", r.PostFormValue("client_id"), r.PostFormValue("client_secret"))
		}
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"invalid_grant"}`)
	}))
	defer server.Close()
	for _, config := range []oauth2.Config{
		{ClientID: "confidential", ClientSecret: "secret", Endpoint: oauth2.Endpoint{TokenURL: server.URL}},
		{ClientID: "public", Endpoint: oauth2.Endpoint{TokenURL: server.URL}},
	} {
		fmt.Println(config.ClientID)
		for _, code := range []string{"code-1", "code-2"} {
			_, err := config.Exchange(context.Background(), code)
			fmt.Println(" ", err)
		}
		old := &oauth2.Token{RefreshToken: "refresh-1"}
		_, err := config.TokenSource(context.Background(), old).Token()
		fmt.Println(" ", err)
	}
}
SCRIPT
go run . > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
