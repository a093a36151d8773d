// An agent with the Go SDK and its OAuth client. Usage: agent <client> <identification>; ../other-clients.ts says what it does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

var (
	input       = bufio.NewReader(os.Stdin)
	redirectURI = os.Getenv("REDIRECT_URI")
	// The tokens in use.
	tokens *oauth2.Token
)

func main() {
	if err := run(context.Background(), os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func print(message map[string]string) {
	if err := json.NewEncoder(os.Stdout).Encode(message); err != nil {
		panic(err)
	}
}

func authorize(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	print(map[string]string{"open": args.URL})
	line, err := input.ReadString('\n')
	if err != nil {
		return nil, err
	}
	callback, err := url.Parse(line[:len(line)-1])
	if err != nil {
		return nil, err
	}
	query := callback.Query()
	return &auth.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}, nil
}

func configure(identification string) *auth.AuthorizationCodeHandlerConfig {
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:              redirectURI,
		AuthorizationCodeFetcher: authorize,
		NewTokenSource: func(ctx context.Context, config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
			tokens = token
			return config.TokenSource(ctx, token), nil
		},
	}
	switch identification {
	case "metadata document":
		config.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: os.Getenv("DOCUMENT_URL")}
	case "pre-registered":
		config.PreregisteredClient = &oauthex.ClientCredentials{
			ClientID:         os.Getenv("CLIENT_ID"),
			ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: os.Getenv("CLIENT_SECRET")},
		}
	default:
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:   "Agent in Go",
				RedirectURIs: []string{redirectURI},
				GrantTypes:   []string{"authorization_code", "refresh_token"},
			},
		}
	}
	return config
}

func run(ctx context.Context, identification string) error {
	handler, err := auth.NewAuthorizationCodeHandler(configure(identification))
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: os.Getenv("MCP_URL"), OAuthHandler: handler}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	print(map[string]string{"revision": session.InitializeResult().ProtocolVersion})
	call := func(tool string, arguments map[string]any) error {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			return err
		}
		print(map[string]string{"tool": tool, "text": result.Content[0].(*mcp.TextContent).Text})
		return nil
	}
	if err := call("users_is", map[string]any{"id": 1}); err != nil {
		return err
	}
	if err := call("post_create", map[string]any{"message": os.Getenv("MESSAGE")}); err != nil {
		return err
	}
	tokens.AccessToken, tokens.Expiry = "expired", time.Unix(1, 0)
	return call("users_show", map[string]any{})
}
