// Uses the client that ogen generated: posts, lists the feed, and reads a problem.
package main

import (
	"context"
	"fmt"
	"os"

	"generated/linnet"
)

type token struct{}

func (token) Bearer(context.Context, linnet.OperationName) (linnet.Bearer, error) {
	return linnet.Bearer{Token: os.Getenv("ACCESS_TOKEN")}, nil
}

func (token) ClientSecret(context.Context, linnet.OperationName) (linnet.ClientSecret, error) {
	return linnet.ClientSecret{}, nil
}

func main() {
	client, err := linnet.NewClient(os.Getenv("BASE_URL")+"/api/v2.0", token{})
	check(err)
	ctx := context.Background()

	_, err = client.PostCreate(ctx, &linnet.PostCreateBody{Message: os.Getenv("MESSAGE")}, linnet.PostCreateParams{})
	check(err)
	feed, err := client.Feed(ctx, linnet.FeedParams{})
	check(err)
	newest := feed.(*linnet.FeedOKHeaders).Response.Items[0]
	fmt.Println(newest.Text, "by", newest.User.Username)

	missing, err := client.PostShow(ctx, linnet.PostShowParams{ID: 1})
	check(err)
	fmt.Println(404, missing.(*linnet.NotFoundHeaders).Response.Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
