// Verifies an access token in Go, and whether it was revoked.
package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// Claims of an access token (RFC 9068 §2.2).
type Claims struct {
	Subject  string `json:"sub"`
	ClientID string `json:"client_id"`
	Scope    string `json:"scope"`
	Status   struct {
		List struct {
			Index int    `json:"idx"`
			URI   string `json:"uri"`
		} `json:"status_list"`
	} `json:"status"`
	All map[string]any `json:"-"`
}

// API verifies what the service has signed for it. It is made once: it keeps the published keys, the lists and the rules.
type API struct {
	access, others *oidc.IDTokenVerifier
	lists          map[string]list
	rules          map[string]rule
}

type list struct {
	bits  []byte
	until time.Time
}

// Tokens are revoked whose claim has this value, and whose claim Epoch is below, if there is one.
type rule struct {
	Claim string  `json:"claim"`
	Value any     `json:"value"`
	Epoch string  `json:"epoch"`
	Below float64 `json:"below"`
}

// NewAPI is called once. In a server, guard the maps with a mutex.
func NewAPI(ctx context.Context, issuer, audience string) *API {
	keys := oidc.NewRemoteKeySet(ctx, issuer+"/oauth/jwks")
	// ES256, or oidc.RS256, as your API has chosen.
	algorithms := []string{oidc.ES256}
	access := oidc.NewVerifier(issuer, keys, &oidc.Config{ClientID: audience, SupportedSigningAlgs: algorithms})
	// Events never expire, and lists are for everybody.
	others := oidc.NewVerifier(issuer, keys, &oidc.Config{SkipClientIDCheck: true, SkipExpiryCheck: true, SupportedSigningAlgs: algorithms})
	return &API{access, others, map[string]list{}, map[string]rule{}}
}

// Verify returns the claims of a token that is valid for this API.
func (api *API) Verify(ctx context.Context, token string) (*Claims, error) {
	// The library does not look at the type, and an ID token is no access token (RFC 9068 §4).
	if typeOf(token) != "at+jwt" {
		return nil, errors.New("typ must be at+jwt")
	}
	verified, err := api.access.Verify(ctx, token)
	if err != nil {
		return nil, err
	}
	claims := &Claims{}
	return claims, errors.Join(verified.Claims(claims), verified.Claims(&claims.All))
}

// IsInList says whether the status list has the token as revoked. It is fetched once in some seconds.
func (api *API) IsInList(ctx context.Context, claims *Claims) (bool, error) {
	at := claims.Status.List
	kept := api.lists[at.URI]
	if kept.until.Before(time.Now()) {
		fetched, err := api.fetchList(ctx, at.URI)
		if err != nil {
			return true, err
		}
		kept, api.lists[at.URI] = *fetched, *fetched
	}
	return kept.bits[at.Index>>3]>>(at.Index&7)&1 == 1, nil
}

func (api *API) fetchList(ctx context.Context, uri string) (*list, error) {
	response, err := http.Get(uri)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || typeOf(string(text)) != "statuslist+jwt" {
		return nil, errors.Join(err, errors.New("typ must be statuslist+jwt"))
	}
	verified, err := api.others.Verify(ctx, string(text))
	if err != nil || verified.Subject != uri || verified.Expiry.Before(time.Now()) {
		return nil, errors.Join(err, errors.New("no current list"))
	}
	var listed struct {
		TTL  int `json:"ttl"`
		List struct {
			Bits string `json:"lst"`
		} `json:"status_list"`
	}
	if err := verified.Claims(&listed); err != nil {
		return nil, err
	}
	compressed, err := base64.RawURLEncoding.DecodeString(listed.List.Bits)
	if err != nil {
		return nil, err
	}
	reader, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	bits, err := io.ReadAll(reader)
	return &list{bits, time.Now().Add(time.Duration(listed.TTL) * time.Second)}, err
}

// Receive takes a security event token, the body of a request to your endpoint. Answer 202, or 400 after an error.
func (api *API) Receive(ctx context.Context, event, audience string) error {
	if typeOf(event) != "secevent+jwt" {
		return errors.New("typ must be secevent+jwt")
	}
	verified, err := api.others.Verify(ctx, event)
	if err != nil || len(verified.Audience) != 1 || verified.Audience[0] != audience {
		return errors.Join(err, errors.New("not for this API"))
	}
	var said struct {
		Events map[string]struct {
			Tokens *rule `json:"tokens"`
		} `json:"events"`
	}
	if err := verified.Claims(&said); err != nil {
		return err
	}
	for _, one := range said.Events {
		if one.Tokens != nil { // keep it for an hour, as long as tokens live
			api.rules[fmt.Sprint(one.Tokens.Claim, " ", one.Tokens.Value)] = *one.Tokens
		}
	}
	return nil
}

// IsRevokedByEvent says whether an event has revoked the token.
func (api *API) IsRevokedByEvent(claims *Claims) bool {
	for _, claim := range []string{"acct", "client_id", "gid", "ch", "jti", "rs"} {
		found, isThere := api.rules[fmt.Sprint(claim, " ", claims.All[claim])]
		epoch, _ := claims.All[found.Epoch].(float64)
		if isThere && (found.Epoch == "" || epoch < found.Below) {
			return true
		}
	}
	return false
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
	audience := os.Getenv("AUDIENCE")
	api := NewAPI(ctx, os.Getenv("ISSUER"), audience)
	if event := os.Getenv("EVENT"); event != "" {
		if err := api.Receive(ctx, event, audience); err != nil {
			log.Fatal(err)
		}
	}
	claims, err := api.Verify(ctx, os.Getenv("TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	if api.IsRevokedByEvent(claims) {
		log.Fatal("revoked by an event")
	}
	if isRevoked, err := api.IsInList(ctx, claims); err != nil || isRevoked {
		log.Fatal("revoked in the list ", err)
	}
	fmt.Println(claims.Subject, claims.ClientID, claims.Scope)
}
