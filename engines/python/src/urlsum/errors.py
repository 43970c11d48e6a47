"""What goes wrong between this package and the process that hashes. A row that is not a URL is not an error."""


class UrlsumError(Exception):
    """The base of this package's errors: Node was not found, or the process did not start."""


class ChildDiedError(UrlsumError):
    """The process ended while a request was under way."""


class ProtocolError(UrlsumError):
    """The process answered something other than what docs/serve.md describes."""


class ProfileMismatchError(UrlsumError):
    """The process computes another canonical form than this package names: the two are of different versions."""
