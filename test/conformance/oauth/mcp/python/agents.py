"""Agents with a Python library and its OAuth client. Usage: agents.py <client> <identification>; ../other-clients.ts says what they do."""

import asyncio
import json
import os
import sys
import webbrowser
from urllib.parse import parse_qs, urlparse

server = os.environ["MCP_URL"]
redirect_uri = os.environ["REDIRECT_URI"]
identification = sys.argv[2]
document = {"client_metadata_url": os.environ["DOCUMENT_URL"]} if identification == "metadata document" else {}
credentials = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}


def print_message(**message):
    print(json.dumps(message), flush=True)


async def use(client, provider):
    async def call(tool, arguments):
        result = await client.call_tool(tool, arguments)
        print_message(tool=tool, text=result.content[0].text)

    print_message(revision=client.protocol_version)
    await call("users_is", {"id": 1})
    await call("post_create", {"message": os.environ["MESSAGE"]})
    provider.context.current_tokens.access_token = "expired"
    provider.context.token_expiry_time = 1
    await call("users_show", {})


async def sdk():
    import httpx2
    from mcp import Client
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata

    metadata = {"redirect_uris": [redirect_uri], "grant_types": ["authorization_code", "refresh_token"]}

    class Storage:
        tokens = None
        client = None

        async def get_tokens(self):
            return self.tokens

        async def set_tokens(self, tokens):
            self.tokens = tokens

        async def get_client_info(self):
            return self.client

        async def set_client_info(self, client):
            self.client = client

    async def redirect(url):
        print_message(open=url)

    async def read_callback():
        query = parse_qs(urlparse(sys.stdin.readline().strip()).query)
        return AuthorizationCodeResult(code=query["code"][0], state=query["state"][0], iss=query["iss"][0])

    storage = Storage()
    if identification == "pre-registered":
        method = "client_secret_basic"
        storage.client = OAuthClientInformationFull(**credentials, **metadata, token_endpoint_auth_method=method)
    client = OAuthClientMetadata(client_name="Agent in Python", **metadata, token_endpoint_auth_method="none")
    provider = OAuthClientProvider(server, client, storage, redirect, read_callback, **document)
    async with httpx2.AsyncClient(auth=provider) as http:
        async with Client(streamable_http_client(server, http_client=http)) as client:
            await use(client, provider)


async def fastmcp():
    """It listens at its loopback address."""
    from fastmcp import Client
    from fastmcp.client.auth import OAuth

    webbrowser.open = lambda url: print_message(visit=url)
    callback = {"callback_host": urlparse(redirect_uri).hostname, "callback_port": urlparse(redirect_uri).port}
    registered = credentials if identification == "pre-registered" else {}
    provider = OAuth(**callback, **document, **registered)
    async with Client(server, auth=provider) as client:
        await use(client, provider)


asyncio.run({"mcp": sdk, "fastmcp": fastmcp}[sys.argv[1]]())
