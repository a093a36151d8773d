"""Lists of the API, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable, Generic, TypeVar

Page = TypeVar("Page")
Item = TypeVar("Item")


class PaginatedList(Generic[Page, Item]):
    """A list whose pages are loaded when they are needed. Iterating over it yields the records of all pages."""

    def __init__(self, load: Callable[[str | None], Any]) -> None:
        self._load = load

    def first_page(self) -> Page:
        """The first page, as the API returns it."""
        page: Page = self._load(None)
        return page

    def pages(self) -> Iterator[Page]:
        """All pages, each as the API returns it."""
        cursor = None
        while True:
            page = self._load(cursor)
            yield page
            cursor = page.get("next")
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            records: Any = page
            # An export has no items: each page is a record.
            yield from records.get("items", [page])
