// Uses the client that oapi-codegen generated: posts, reads the post back, and reads a problem.
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

	created, err := client.PostCreateWithResponse(ctx, nil, linnet.PostCreateJSONRequestBody{Message: "From generated Go"})
	check(err)
	shown, err := client.PostShowWithResponse(ctx, &linnet.PostShowParams{Id: created.JSON200.Items.Id})
	check(err)
	fmt.Println(shown.JSON200.Items.Text, "by", shown.JSON200.Items.User.Username)

	missing, err := client.PostShowWithResponse(ctx, &linnet.PostShowParams{Id: 1})
	check(err)
	fmt.Println(missing.StatusCode(), missing.ApplicationproblemJSON404.Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
