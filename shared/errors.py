"""The errors a user can meet. Each message names the thing (file, row, option), what was expected, and the way out."""


class CogsightError(Exception):
    """Base of all errors that the commands print as one line, without a traceback, before they exit with code 1."""


class DataError(CogsightError):
    """A release, a dataset folder or a log that does not hold what it must: names file and rows."""


class MissingDependency(CogsightError):
    """An optional library is absent: carries the pip line that installs it."""

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(f"{module} is not installed; run: pip install 'cogsight[{extra}]'")


class GenerationError(CogsightError):
    """No sample that passes the rules came out within the tries allowed: names task, level, seed and index."""


class UnprovedKey(GenerationError):
    """The solver finds another set of right answers than the generator: the question must not be emitted."""
