#!/bin/sh
# MCP in Python: a tool that returns an empty list or None answers with no content at all.
#
# Version:   mcp 2.3.0, fastmcp 4.2.3
# Date:      2026-11-28
# Behaviour: A tool with the return type `list[str]` is called for zero, one and two results. The SDK answers with one
#            text a result, and with no content for none. fastmcp answers with one text in JSON, and no content for
#            none. A list with one text looks like a single string in the SDK's content. `structuredContent` is
#            right in all cases.
# Guess:     One text with the list as JSON, `[]` for none: a tool with structured content "SHOULD also return the
#            serialized JSON in a TextContent block" (MCP, tools, structured content).
# Matters:   Clients that give only `content` to the model give it nothing for "no results": the model cannot tell an
#            empty answer from a failed tool. A tool that returns an object with the list in it is shown in full.
#
# Usage: sh mcp-python-list-results.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> 0 results, mcp
#>   content: []
#>   structuredContent: {"result": []}
#> 0 results, fastmcp
#>   content: []
#>   structuredContent: {"result": []}
#> 1 results, mcp
#>   content: ['post 1']
#>   structuredContent: {"result": ["post 1"]}
#> 1 results, fastmcp
#>   content: ['["post 1"]']
#>   structuredContent: {"result": ["post 1"]}
#> 2 results, mcp
#>   content: ['post 1', 'post 2']
#>   structuredContent: {"result": ["post 1", "post 2"]}
#> 2 results, fastmcp
#>   content: ['["post 1","post 2"]']
#>   structuredContent: {"result": ["post 1", "post 2"]}
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
import json

import fastmcp
from mcp.client import Client
from mcp.server import MCPServer


def search(count: int) -> list[str]:
    return [f"post {number + 1}" for number in range(count)]


sdk, other = MCPServer("sdk"), fastmcp.FastMCP("other")
sdk.tool()(search)
other.tool(search)


async def show():
    for count in (0, 1, 2):
        for name, client in (("mcp", Client(sdk)), ("fastmcp", fastmcp.Client(other))):
            async with client:
                result = await client.call_tool("search", {"count": count})
                print(f"{count} results, {name}")
                print(f"  content: {[block.text for block in result.content]}")
                print(f"  structuredContent: {json.dumps(result.structured_content)}")


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
