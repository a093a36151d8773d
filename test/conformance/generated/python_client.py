"""Uses the client that openapi-python-client generated: posts, reads the post back, and reads a problem."""

import os
import sys

sys.path.insert(0, os.environ["GENERATED"])

from linnet_client import AuthenticatedClient
from linnet_client.api.posts import post_create, post_show
from linnet_client.models import PostCreateBody

client = AuthenticatedClient(
    base_url=f"{os.environ['BASE_URL']}/api/v2.0",
    token=os.environ["ACCESS_TOKEN"],
    headers={"Accept": "application/json"},
)

created = post_create.sync(client=client, body=PostCreateBody(message="From generated Python"))
shown = post_show.sync(client=client, id=created.items.id)
print(shown.items.text, "by", shown.items.user.username)

missing = post_show.sync_detailed(client=client, id=1)
print(missing.status_code.value, missing.parsed.code)
