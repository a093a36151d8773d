"""Every example of the README runs, against the service."""

from __future__ import annotations

import os
import re
import tempfile
import unittest
from pathlib import Path

from test_service import ISSUER, opens

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^## ([^\n]*)\n(?:(?!^## ).)*?^```py\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PRINTED = {
    "A bot": r"http\S+/p/\d+ by .+\n",
    "Sign a person in": r"\w+\n",
    "Connect a device": r"\w+\n",
    "Lists": r"(.+\n)+\d+ of \d+\n\d\n",
    "Errors": "message .+\n",
}


def run(code: str) -> str:
    """What an example prints. The addresses that it prints are opened, and it reads where that led."""
    printed: list[str] = []
    answers: list[str] = []

    def show(*values: object, flush: bool = False) -> None:
        text = " ".join(map(str, values))
        if text.startswith("Open "):
            answers.append(opens(text[len("Open ") :]))
        else:
            printed.append(f"{text}\n")

    code = code.replace("http://localhost:3000", ISSUER)
    code = code.replace("http://127.0.0.1:4000/callback", os.environ["REDIRECT_URI"])
    exec(compile(code, "README.md", "exec"), {"print": show, "input": lambda _: answers.pop()})
    return "".join(printed)


@unittest.skipUnless(ISSUER, "LINNET_ISSUER is not set")
class Readme(unittest.TestCase):
    def test_every_example(self) -> None:
        self.assertEqual([title for title, _ in EXAMPLES], list(PRINTED))
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for title, code in EXAMPLES:
                    with self.subTest(title):
                        self.assertRegex(run(code), f"^(?:{PRINTED[title]})$")
            finally:
                os.chdir(here)
