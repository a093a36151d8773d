"""Welcomes new followers with a post. Needs only Python 3.9 or newer and the SDK of the service (see README.md).

Run it from time to time, for example with cron. The first run remembers the current followers and posts nothing.
"""

import argparse
import json
import os
from pathlib import Path

from linnet_sdk import Linnet, LinnetError


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--issuer", default="http://localhost:3000")
    parser.add_argument("--client-id", required=True)
    parser.add_argument("--state", type=Path, default=Path("followers.json"), help="who was welcomed")
    options = parser.parse_args()

    # A secret does not belong into the arguments, which other users of the machine can read.
    linnet = Linnet.application(options.issuer, options.client_id, os.environ["CLIENT_SECRET"])
    me = linnet.users.show()
    followers = list(linnet.users.followers(id=me["id"], count=100))
    if options.state.exists():
        known = set(json.loads(options.state.read_text()))
        for follower in reversed([one for one in followers if one["id"] not in known]):
            # With the same key, a post that was created before the program stopped is not created again.
            post = linnet.posts.create(
                f"Welcome, @{follower['username']}!",
                idempotency_key=f"welcome-{follower['id']}",
            )
            print(post["link"])
    remember(options.state, [one["id"] for one in followers])


def remember(path, ids):
    """Replaces the file at once, so that it is complete even if the program stops here."""
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(ids))
    draft.replace(path)


if __name__ == "__main__":
    try:
        main()
    except LinnetError as error:
        raise SystemExit(str(error)) from error
