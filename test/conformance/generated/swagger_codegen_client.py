"""Uses the client that swagger-codegen wrote in Python: posts, lists the feed, and reads a problem."""

import json
import os
import sys

sys.path.insert(0, os.environ["GENERATED"])

from swagger_client import ApiClient, Configuration, PostCreateBody, PostsApi
from swagger_client.rest import ApiException

configuration = Configuration()
configuration.host = f"{os.environ['BASE_URL']}/api/v2.0"
# It sends no token of the scheme `bearer` by itself.
posts = PostsApi(ApiClient(configuration, "Authorization", f"Bearer {os.environ['ACCESS_TOKEN']}"))

posts.post_create(PostCreateBody(message=os.environ["MESSAGE"]))
newest = posts.feed(count=1).items[0]
print(newest.text, "by", newest.user.username)

try:
    posts.post_show(1)
except ApiException as missing:
    print(missing.status, json.loads(missing.body)["code"])
