"""What goes wrong: a URL that is not one, and what the library cannot do."""

_SHOWN_CHARACTERS = 200


class UrlsumError(Exception):
    """The base of this package's errors."""


class UrlError(UrlsumError, ValueError):
    """A text that is not a URL.

    Attributes:
        url: the text.
        reason: why it is not a URL, in the standard's word, such as ``port-invalid``.
        row: its row, where it is one of a column.
    """

    def __init__(self, url: str | bytes, reason: str, row: int | None = None) -> None:
        super().__init__(url, reason, row)
        self.url, self.reason, self.row = url, reason, row

    def __str__(self) -> str:
        shown = repr(self.url[:_SHOWN_CHARACTERS]) + ("…" if len(self.url) > _SHOWN_CHARACTERS else "")
        return f"{shown}{'' if self.row is None else f' in row {self.row}'} is not a URL: {self.reason}"
