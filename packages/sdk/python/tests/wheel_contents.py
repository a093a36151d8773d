"""Prints what a wheel contains, as JSON: what the modules are, and what it says about itself."""

import hashlib
import json
import sys
import zipfile
from email import message_from_bytes

# Two build tools write these in their own way.
OWN = ("Metadata-Version", "Generator", "Tag")

with zipfile.ZipFile(sys.argv[1]) as wheel:
    assert wheel.testzip() is None
    files = {name: wheel.read(name) for name in sorted(wheel.namelist())}
contents = {}
for name, content in files.items():
    if name.endswith(("/METADATA", "/WHEEL")):
        message = message_from_bytes(content)
        fields = sorted(
            (key, ",".join(sorted(value.split(","))) if key == "Keywords" else value) for key, value in message.items()
        )
        contents[name] = [[key, value] for key, value in fields if key not in OWN] + [message.get_payload()]
    elif not name.endswith("/RECORD"):
        contents[name] = hashlib.sha256(content).hexdigest()
print(json.dumps(contents))
