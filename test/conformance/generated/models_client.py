"""Uses httpx with the models that datamodel-code-generator wrote: posts, lists the feed, and reads a problem."""

import os
import sys

sys.path.insert(0, os.environ["GENERATED"])

import httpx
from linnet_models import ListedPost, PostCreateBody, Problem
from pydantic import TypeAdapter

client = httpx.Client(
    base_url=f"{os.environ['BASE_URL']}/api/v2.0",
    headers={"Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}"},
)

body = PostCreateBody(message=os.environ["MESSAGE"]).model_dump(mode="json", exclude_none=True)
client.post("/post/create", json=body).raise_for_status()
feed = client.get("/feed", params={"count": 1}).raise_for_status().json()
newest = TypeAdapter(list[ListedPost]).validate_python(feed["items"])[0]
print(newest.text, "by", newest.user.username)

missing = client.get("/post/show", params={"id": 1})
print(missing.status_code, Problem.model_validate(missing.json()).code.value)
