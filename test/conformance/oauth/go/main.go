// Applications that follow the quickstart of a Go library. Usage: clients <library> <flow>.
//
// The environment has ISSUER, CLIENT_ID, CLIENT_SECRET (empty for a public application) and REDIRECT_URI. The program
// prints {"open": URL} to send its user to the authorization server, reads the callback URL from standard input, and
// prints {"access_token": ..., "name": ...} at the end.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/zitadel/oidc/v3/pkg/client/rp"
	zitadel "github.com/zitadel/oidc/v3/pkg/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var (
	issuer       = os.Getenv("ISSUER")
	clientID     = os.Getenv("CLIENT_ID")
	clientSecret = os.Getenv("CLIENT_SECRET")
	redirectURI  = os.Getenv("REDIRECT_URI")
	input        = bufio.NewReader(os.Stdin)
)

func main() {
	libraries := map[string]func(context.Context, string) (string, string, error){
		"golang.org/x/oauth2":          xOAuth2,
		"github.com/coreos/go-oidc/v3": goOIDC,
		"github.com/zitadel/oidc/v3":   zitadelOIDC,
	}
	token, name, err := libraries[os.Args[1]](context.Background(), os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	print(map[string]string{"access_token": token, "name": name})
}

func print(message map[string]string) {
	if err := json.NewEncoder(os.Stdout).Encode(message); err != nil {
		panic(err)
	}
}

// visit sends the user to the URL and returns the code of the callback.
func visit(address, state string) (string, error) {
	print(map[string]string{"open": address})
	line, err := input.ReadString('\n')
	if err != nil {
		return "", err
	}
	callback, err := url.Parse(line[:len(line)-1])
	if err != nil {
		return "", err
	}
	query := callback.Query()
	if query.Get("state") != state || query.Get("code") == "" {
		return "", errors.New("unexpected callback: " + line)
	}
	return query.Get("code"), nil
}

func xOAuth2(ctx context.Context, flow string) (string, string, error) {
	endpoint := oauth2.Endpoint{
		AuthURL:       issuer + "/oauth/authorize",
		TokenURL:      issuer + "/oauth/token",
		DeviceAuthURL: issuer + "/oauth/device_authorization",
	}
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		RedirectURL:  redirectURI,
		Endpoint:     endpoint,
		Scopes:       []string{"users", "posts"},
	}
	switch flow {
	case "client credentials":
		backend := clientcredentials.Config{
			ClientID: clientID, ClientSecret: clientSecret, TokenURL: endpoint.TokenURL, Scopes: []string{"users"},
		}
		token, err := backend.Token(ctx)
		if err != nil {
			return "", "", err
		}
		return token.AccessToken, "", nil
	case "device":
		response, err := config.DeviceAuth(ctx)
		if err != nil {
			return "", "", err
		}
		print(map[string]string{"device": response.UserCode})
		if _, err := input.ReadString('\n'); err != nil {
			return "", "", err
		}
		token, err := config.DeviceAccessToken(ctx, response)
		if err != nil {
			return "", "", err
		}
		return token.AccessToken, "", nil
	}
	verifier := oauth2.GenerateVerifier()
	code, err := visit(config.AuthCodeURL("state-1", oauth2.S256ChallengeOption(verifier)), "state-1")
	if err != nil {
		return "", "", err
	}
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return "", "", err
	}
	if flow == "refresh" {
		token, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
		if err != nil {
			return "", "", err
		}
	}
	return token.AccessToken, "", nil
}

func goOIDC(ctx context.Context, _ string) (string, string, error) {
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return "", "", err
	}
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		RedirectURL:  redirectURI,
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	code, err := visit(config.AuthCodeURL("state-1", oidc.Nonce("nonce-1")), "state-1")
	if err != nil {
		return "", "", err
	}
	token, err := config.Exchange(ctx, code)
	if err != nil {
		return "", "", err
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, raw)
	if err != nil {
		return "", "", err
	}
	var claims struct {
		Name  string `json:"name"`
		Nonce string `json:"nonce"`
	}
	if err := idToken.Claims(&claims); err != nil {
		return "", "", err
	}
	if claims.Nonce != "nonce-1" {
		return "", "", errors.New("unexpected nonce")
	}
	return token.AccessToken, claims.Name, nil
}

func zitadelOIDC(ctx context.Context, _ string) (string, string, error) {
	scopes := []string{"openid", "profile", "email"}
	party, err := rp.NewRelyingPartyOIDC(ctx, issuer, clientID, clientSecret, redirectURI, scopes)
	if err != nil {
		return "", "", err
	}
	code, err := visit(rp.AuthURL("state-1", party), "state-1")
	if err != nil {
		return "", "", err
	}
	tokens, err := rp.CodeExchange[*zitadel.IDTokenClaims](ctx, code, party)
	if err != nil {
		return "", "", err
	}
	info, err := rp.Userinfo[*zitadel.UserInfo](ctx, tokens.AccessToken, tokens.TokenType, tokens.IDTokenClaims.Subject, party)
	if err != nil {
		return "", "", err
	}
	return tokens.AccessToken, info.Name, nil
}
