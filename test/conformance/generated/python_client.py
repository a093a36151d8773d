"""Uses the client that openapi-python-client generated: posts, lists the feed, and reads a problem."""

import os
import sys

sys.path.insert(0, os.environ["GENERATED"])

from linnet_client import AuthenticatedClient
from linnet_client.api.posts import feed, post_create, post_show
from linnet_client.models import PostCreateBody

client = AuthenticatedClient(
    base_url=f"{os.environ['BASE_URL']}/api/v2.0",
    token=os.environ["ACCESS_TOKEN"],
    headers={"Accept": "application/json"},
)

post_create.sync(client=client, body=PostCreateBody(message=os.environ["MESSAGE"]))
newest = feed.sync(client=client, count=1).items[0]
print(newest.text, "by", newest.user.username)

missing = post_show.sync_detailed(client=client, id=1)
print(missing.status_code.value, missing.parsed.code)
