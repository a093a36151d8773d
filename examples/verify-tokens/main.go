// Verifies an access token in Go.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

// Claims of an access token (RFC 9068 §2.2).
type Claims struct {
	Subject  string `json:"sub"`
	ClientID string `json:"client_id"`
	Scope    string `json:"scope"`
}

// NewVerifier is called once: it keeps the published keys.
func NewVerifier(ctx context.Context, issuer, audience string) *oidc.IDTokenVerifier {
	keys := oidc.NewRemoteKeySet(ctx, issuer+"/oauth/jwks")
	// ES256, or oidc.RS256, as your API has chosen.
	return oidc.NewVerifier(issuer, keys, &oidc.Config{ClientID: audience, SupportedSigningAlgs: []string{oidc.ES256}})
}

// Verify returns the claims of a token that is valid for this API.
func Verify(ctx context.Context, verifier *oidc.IDTokenVerifier, token string) (*Claims, error) {
	// The library does not look at the type, and an ID token is no access token (RFC 9068 §4).
	if typeOf(token) != "at+jwt" {
		return nil, errors.New("typ must be at+jwt")
	}
	verified, err := verifier.Verify(ctx, token)
	if err != nil {
		return nil, err
	}
	claims := &Claims{}
	return claims, verified.Claims(claims)
}

func typeOf(token string) string {
	first, _, _ := strings.Cut(token, ".")
	var header struct {
		Type string `json:"typ"`
	}
	if text, err := base64.RawURLEncoding.DecodeString(first); err == nil {
		_ = json.Unmarshal(text, &header)
	}
	return header.Type
}

func main() {
	ctx := context.Background()
	verifier := NewVerifier(ctx, os.Getenv("ISSUER"), os.Getenv("AUDIENCE"))
	claims, err := Verify(ctx, verifier, os.Getenv("TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(claims.Subject, claims.ClientID, claims.Scope)
}
