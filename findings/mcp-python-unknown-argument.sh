#!/bin/sh
# MCP in Python: a misspelt argument is dropped by the SDK, which runs the tool with its default; fastmcp refuses the
# call.
#
# Version:   mcp 2.3.0, fastmcp 4.2.3
# Date:      2026-11-28
# Behaviour: The same function is a tool of both. It is called with `visiblity` instead of `visibility`. The SDK drops
#            the argument and runs the function with the default. fastmcp answers with an error. Their schemas differ
#            too: fastmcp says `additionalProperties: false`, the SDK says nothing.
# Guess:     The function has no such parameter, so the call is an error, as in Python itself.
# Matters:   A model misspells or invents an argument, and sees a success, here of a post for everyone.
#            When a server moves between the two libraries, clients with additional arguments begin to fail.
#
# Usage: sh mcp-python-unknown-argument.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> mcp: additionalProperties: None
#> mcp: posted 'hello' as public
#> fastmcp: additionalProperties: False
#> fastmcp: 1 validation error for call[post]
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet mcp==2.3.0 fastmcp==4.2.3 || exit 2

cat > show.py <<'SCRIPT'
import asyncio

import fastmcp
from mcp.client import Client
from mcp.server import MCPServer


def post(text: str, visibility: str = "public") -> str:
    return f"posted {text!r} as {visibility}"


sdk, other = MCPServer("sdk"), fastmcp.FastMCP("other")
sdk.tool()(post)
other.tool(post)
arguments = {"text": "hello", "visiblity": "private"}


def answer(result):
    return result.content[0].text.splitlines()[0]


async def show():
    async with Client(sdk) as client:
        [tool] = (await client.list_tools()).tools
        print(f"mcp: additionalProperties: {tool.input_schema.get('additionalProperties')}")
        print(f"mcp: {answer(await client.call_tool('post', arguments))}")
    async with fastmcp.Client(other) as client:
        [tool] = await client.list_tools()
        schema = getattr(tool, "input_schema", None) or tool.inputSchema
        print(f"fastmcp: additionalProperties: {schema.get('additionalProperties')}")
        print(f"fastmcp: {answer(await client.call_tool('post', arguments, raise_on_error=False))}")


asyncio.run(show())
SCRIPT
venv/bin/python show.py > seen 2> log || { cat log >&2; exit 2; }

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
