"""Uses the client that openapi-generator wrote in Python: posts, lists the feed, and reads a problem."""

import json
import os
import sys

sys.path.insert(0, os.environ["GENERATED"])

from linnet_generated import ApiClient, Configuration, PostCreateBody, PostsApi
from linnet_generated.exceptions import NotFoundException

configuration = Configuration(host=f"{os.environ['BASE_URL']}/api/v2.0", access_token=os.environ["ACCESS_TOKEN"])
posts = PostsApi(ApiClient(configuration))

posts.post_create(PostCreateBody(message=os.environ["MESSAGE"]))
newest = posts.feed(count=1).items[0]
print(newest.text, "by", newest.user.username)

try:
    posts.post_show(1)
except NotFoundException as missing:
    print(missing.status, json.loads(missing.body)["code"])
