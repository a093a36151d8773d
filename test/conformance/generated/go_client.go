// Uses the client that oapi-codegen generated: posts, lists the feed, and reads a problem.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"generated/linnet"
)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ACCESS_TOKEN"))
		request.Header.Set("Accept", "application/json")
		return nil
	}
	client, err := linnet.NewClientWithResponses(os.Getenv("BASE_URL")+"/api/v2.0", linnet.WithRequestEditorFn(authorize))
	check(err)
	ctx := context.Background()

	_, err = client.PostCreateWithResponse(ctx, nil, linnet.PostCreateJSONRequestBody{Message: os.Getenv("MESSAGE")})
	check(err)
	feed, err := client.FeedWithResponse(ctx, nil)
	check(err)
	newest := feed.JSON200.Items[0]
	fmt.Println(newest.Text, "by", newest.User.Username)

	missing, err := client.PostShowWithResponse(ctx, &linnet.PostShowParams{Id: 1})
	check(err)
	fmt.Println(missing.StatusCode(), missing.ApplicationproblemJSON404.Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
