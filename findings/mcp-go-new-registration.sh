#!/bin/sh
# MCP in Go: the OAuth handler registers a new client for each authorization, also for a step-up in the same session.
#
# Version:   github.com/modelcontextprotocol/go-sdk v1.8.0
# Date:      2026-11-29
# Behaviour: An AuthorizationCodeHandler with a DynamicClientRegistrationConfig registers at each 401, and at each 403
#            with `insufficient_scope`. The authorization request and the token are those of the new client. The handler
#            keeps the granted scopes and asks for them again, but not the client.
# Guess:     It registers once and keeps the client, at least while the handler lives: a step-up asks for more scopes
#            of the same application.
# Matters:   A server that remembers what the person granted to an application knows nothing about the new one. The
#            person sees the whole consent again, and the list of connected applications has an entry for each step,
#            the older ones with grants that nobody uses. A server that limits registrations may refuse the step-up.
#            A client ID metadata document or a pre-registered client avoids it.
#
# Usage: sh mcp-go-new-registration.sh    (needs Go)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> connect: 401
#>   registration: client-1
#>   authorization of client-1 for "read"
#>   token for client-1
#> call a tool: 403, insufficient_scope
#>   registration: client-2
#>   authorization of client-2 for "read write"
#>   token for client-2
#> list the tools after the token was revoked: 401
#>   registration: client-3
#>   authorization of client-3 for "read write"
#>   token for client-3
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

sdk=github.com/modelcontextprotocol/go-sdk
{
  go mod init show && go get $sdk/auth@v1.8.0 $sdk/mcp@v1.8.0 $sdk/oauthex@v1.8.0
} > log 2>&1 || { cat log >&2; exit 2; }

cat > main.go <<'SCRIPT'
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const redirectURI = "http://127.0.0.1:8080/callback"

// The authorization server and the MCP server. An access token is its scope.
type service struct {
	url           string
	registrations int
	scope         string
	revoked       bool
	tools         http.Handler
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := func(status int, body map[string]any) {
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(body)
	}
	refuse := func(status int, challenge string) {
		w.Header().Set("www-authenticate", "Bearer "+challenge)
		w.WriteHeader(status)
	}
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		answer(200, map[string]any{"resource": s.url + "/mcp", "authorization_servers": []string{s.url}})
	case "/.well-known/oauth-authorization-server":
		answer(200, map[string]any{
			"issuer": s.url, "authorization_endpoint": s.url + "/authorize", "token_endpoint": s.url + "/token",
			"registration_endpoint": s.url + "/register", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported":      []string{"S256"},
			"token_endpoint_auth_methods_supported": []string{"none"},
		})
	case "/register":
		s.registrations++
		id := fmt.Sprintf("client-%d", s.registrations)
		fmt.Printf("  registration: %s\n", id)
		answer(201, map[string]any{
			"client_id": id, "redirect_uris": []string{redirectURI}, "token_endpoint_auth_method": "none",
		})
	case "/token":
		fmt.Printf("  token for %s\n", r.PostFormValue("client_id"))
		answer(200, map[string]any{"access_token": s.scope, "token_type": "Bearer", "expires_in": 3600, "scope": s.scope})
	case "/mcp":
		token := r.Header.Get("authorization")
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		calls := func(method string) bool { return bytes.Contains(body, []byte(`"`+method+`"`)) }
		if token == "" || s.revoked && calls("tools/list") {
			s.revoked = false
			refuse(401, `scope="read"`)
		} else if calls("tools/call") && token != "Bearer read write" {
			refuse(403, `error="insufficient_scope", scope="write"`)
		} else {
			s.tools.ServeHTTP(w, r)
		}
	default:
		w.WriteHeader(404)
	}
}

// The person consents to all requests at once.
func (s *service) authorize(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	request, err := url.Parse(args.URL)
	if err != nil {
		return nil, err
	}
	query := request.Query()
	scopes := strings.Fields(query.Get("scope"))
	slices.Sort(scopes)
	s.scope = strings.Join(scopes, " ")
	fmt.Printf("  authorization of %s for %q\n", query.Get("client_id"), s.scope)
	return &auth.AuthorizationResult{Code: "code", State: query.Get("state")}, nil
}

func run(ctx context.Context) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1.0.0"}, nil)
	type none struct{}
	write := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, none, error) {
		return nil, none{}, nil
	}
	mcp.AddTool(server, &mcp.Tool{Name: "write"}, write)
	tools := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	s := &service{tools: tools}
	listener := httptest.NewServer(s)
	defer listener.Close()
	s.url = listener.URL

	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{ClientName: "Agent", RedirectURIs: []string{redirectURI}},
		},
		AuthorizationCodeFetcher: s.authorize,
	})
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil)
	fmt.Println("connect: 401")
	transport := &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp", OAuthHandler: handler}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	fmt.Println("call a tool: 403, insufficient_scope")
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "write"}); err != nil {
		return err
	}
	fmt.Println("list the tools after the token was revoked: 401")
	s.revoked = true
	_, err = session.ListTools(ctx, nil)
	return err
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
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
