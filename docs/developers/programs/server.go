package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const issuer = "http://localhost:3000"

type session struct{ state, nonce, verifier, username string }

// By cookie. Use your session store instead.
var sessions sync.Map

func main() {
	provider, err := oidc.NewProvider(context.Background(), issuer)
	if err != nil {
		log.Fatal(err)
	}
	config := &oauth2.Config{
		ClientID:     "YOUR_CLIENT_ID",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  "http://127.0.0.1:4000/callback",
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "profile"},
	}
	// Otherwise each exchange that fails is sent twice.
	config.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		if known, found := load(r); found && known.username != "" {
			fmt.Fprint(w, "Signed in as ", known.username)
			return
		}
		begun := session{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier()}
		save(w, begun)
		pkce := oauth2.S256ChallengeOption(begun.verifier)
		http.Redirect(w, r, config.AuthCodeURL(begun.state, pkce, oidc.Nonce(begun.nonce)), http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		username, err := finish(r, config, verifier)
		if err != nil {
			log.Print(err)
			http.Error(w, "Sign-in failed. Please try again.", http.StatusBadGateway)
			return
		}
		save(w, session{username: username})
		http.Redirect(w, r, "/", http.StatusFound)
	})

	fmt.Println("Open http://127.0.0.1:4000/")
	log.Fatal(http.ListenAndServe("127.0.0.1:4000", nil))
}

func finish(r *http.Request, config *oauth2.Config, verifier *oidc.IDTokenVerifier) (string, error) {
	begun, found := load(r)
	query := r.URL.Query()
	if !found || begun.state == "" || query.Get("state") != begun.state || query.Get("iss") != issuer {
		return "", errors.New("not the answer to this session's request")
	}
	tokens, err := config.Exchange(r.Context(), query.Get("code"), oauth2.VerifierOption(begun.verifier))
	if err != nil {
		return "", err
	}
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := verifier.Verify(r.Context(), raw)
	if err != nil {
		return "", err
	}
	var claims struct {
		Username string `json:"preferred_username"`
	}
	if idToken.Nonce != begun.nonce {
		return "", errors.New("the ID token is of another request")
	}
	err = idToken.Claims(&claims)
	return claims.Username, err
}

func load(r *http.Request) (session, bool) {
	cookie, err := r.Cookie("session")
	if err != nil {
		return session{}, false
	}
	found, ok := sessions.Load(cookie.Value)
	if !ok {
		return session{}, false
	}
	return found.(session), true
}

func save(w http.ResponseWriter, value session) {
	id := rand.Text()
	sessions.Store(id, value)
	http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
}
