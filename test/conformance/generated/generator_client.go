// Uses the client that openapi-generator wrote in Go: posts, lists the feed, and reads a problem.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	linnet "generated/client"
)

func main() {
	configuration := linnet.NewConfiguration()
	configuration.Servers = linnet.ServerConfigurations{{URL: os.Getenv("BASE_URL") + "/api/v2.0"}}
	posts := linnet.NewAPIClient(configuration).PostsAPI
	ctx := context.WithValue(context.Background(), linnet.ContextAccessToken, os.Getenv("ACCESS_TOKEN"))

	_, _, err := posts.PostCreate(ctx).PostCreateBody(*linnet.NewPostCreateBody(os.Getenv("MESSAGE"))).Execute()
	check(err)
	feed, _, err := posts.Feed(ctx).Count(1).Execute()
	check(err)
	fmt.Println(feed.Items[0].Text, "by", feed.Items[0].User.Username)

	_, response, err := posts.PostShow(ctx).Id(1).Execute()
	var refused *linnet.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(err)
	}
	problem := refused.Model().(linnet.Problem)
	fmt.Println(response.StatusCode, problem.Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
