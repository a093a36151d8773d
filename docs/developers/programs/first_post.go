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
	request := form("/oauth/token", url.Values{"grant_type": {"client_credentials"}})
	request.SetBasicAuth("YOUR_CLIENT_ID", os.Getenv("CLIENT_SECRET"))
	send(request, &tokens)

	var created struct {
		Items struct{ Link string }
	}
	request = form("/api/v2.0/post/create", url.Values{"message": {"Hello from the API #Linnet"}})
	request.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
	send(request, &created)
	fmt.Println("Published", created.Items.Link)
}

func form(path string, values url.Values) *http.Request {
	request, err := http.NewRequest("POST", baseURL+path, strings.NewReader(values.Encode()))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	return request
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
