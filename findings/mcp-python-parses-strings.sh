#!/bin/sh
# MCP SDK for Python: an optional string argument is parsed as JSON first, so that some texts become None or an error.
#
# Version:   mcp 2.3.0, fastmcp 4.2.3
# Date:      2026-11-28
# Behaviour: A tool has the parameter `text: str | None`, in its schema a string or null. Called with the string `null`,
#            the function gets None. Called with `[draft]`, it gets the string; with `[1]` or `{"a": 1}`, the caller
#            gets a validation error. With the annotation `str`, and with the package fastmcp, the function gets each
#            string as it is.
# Guess:     A string that matches the schema arrives as it is.
# Matters:   A tool that posts, searches or saves text fails for some texts only, or takes them as absent, where the
#            parameter may be left out. A default of an empty string instead of None avoids it.
#
# Usage: sh mcp-python-parses-strings.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> text: hello
#>   mcp, optional: the function got 'hello'
#>   mcp, required: the function got 'hello'
#>   fastmcp, optional: the function got 'hello'
#> text: [draft]
#>   mcp, optional: the function got '[draft]'
#>   mcp, required: the function got '[draft]'
#>   fastmcp, optional: the function got '[draft]'
#> text: null
#>   mcp, optional: the function got None
#>   mcp, required: the function got 'null'
#>   fastmcp, optional: the function got 'null'
#> text: [1]
#>   mcp, optional: error
#>   mcp, required: the function got '[1]'
#>   fastmcp, optional: the function got '[1]'
#> text: {"a": 1}
#>   mcp, optional: error
#>   mcp, required: the function got '{"a": 1}'
#>   fastmcp, optional: the function got '{"a": 1}'
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


def optional(text: str | None = None) -> str:
    return f"the function got {text!r}"


def required(text: str) -> str:
    return f"the function got {text!r}"


sdk, other = MCPServer("sdk"), fastmcp.FastMCP("other")
for function in (optional, required):
    sdk.tool()(function)
    other.tool(function)


async def show():
    for text in ("hello", "[draft]", "null", "[1]", '{"a": 1}'):
        print(f"text: {text}")
        async with Client(sdk) as client:
            for tool in ("optional", "required"):
                result = await client.call_tool(tool, {"text": text})
                print(f"  mcp, {tool}: {'error' if result.is_error else result.content[0].text}")
        async with fastmcp.Client(other) as client:
            result = await client.call_tool("optional", {"text": text}, raise_on_error=False)
            print(f"  fastmcp, optional: {'error' if result.is_error else result.content[0].text}")


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
