package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
)

const baseURL = "http://localhost:3000"

func main() {
	var tokens struct {
		AccessToken string `json:"access_token"`
	}
	values := url.Values{"grant_type": {"client_credentials"}}
	request, _ := http.NewRequest("POST", baseURL+"/oauth/token", strings.NewReader(values.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth("YOUR_CLIENT_ID", os.Getenv("CLIENT_SECRET"))
	send(request, &tokens)

	var feed struct {
		Items []struct {
			Text string
			User struct{ DisplayName string }
		}
	}
	request, _ = http.NewRequest("GET", baseURL+"/api/v2.0/feed?count=1", nil)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
	send(request, &feed)
	for _, post := range feed.Items {
		fmt.Printf("%s: %s\n", post.User.DisplayName, post.Text)
	}
}

func send(request *http.Request, result any) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(request.URL.Path, ": ", response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(result); err != nil {
		log.Fatal(err)
	}
}
