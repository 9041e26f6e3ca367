"""The exceptions of llull. Their messages are those of the command."""


class LlullError(Exception):
    """Every error that is not of Python's own kinds: what cannot be computed of these inputs."""


class FileError(LlullError):
    """A file that cannot be read, or that has not the form of its format: with file, line and column."""


class MeasureError(LlullError, ValueError):
    """No measure has this name; the message has the nearest one."""


# They are named after the package, not after this file.
for _error in (LlullError, FileError, MeasureError):
    _error.__module__ = "llull"
