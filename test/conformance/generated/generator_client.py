"""Uses the client that openapi-generator wrote in Python: posts, reads the post back, and reads a problem."""

import json
import os
import sys

sys.path.insert(0, os.environ["GENERATED"])

from linnet_generated import ApiClient, Configuration, PostCreateBody, PostsApi
from linnet_generated.exceptions import NotFoundException

configuration = Configuration(host=f"{os.environ['BASE_URL']}/api/v2.0", access_token=os.environ["ACCESS_TOKEN"])
posts = PostsApi(ApiClient(configuration))

created = posts.post_create(PostCreateBody(message="From generated Python"))
shown = posts.post_show(created.items.id)
print(shown.items.text, "by", shown.items.user.username)

try:
    posts.post_show(1)
except NotFoundException as missing:
    print(missing.status, json.loads(missing.body)["code"])
