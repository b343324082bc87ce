"""When the newest commit was made, from git's own log file; no process. Instants, so that no time zone matters."""

import os

from curator.place import git_folder

_TAIL = 4096


def newest_commit(top: str) -> float:
    """Seconds since 1970 of the last move of HEAD by a commit, merge or pull; 0 where git's log does not say."""
    folder = git_folder(top)
    try:
        with open(os.path.join(folder or top, "logs", "HEAD"), "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return 0.0
    for line in reversed(lines):
        head, _, what = line.partition("\t")
        if what.startswith(("commit", "merge", "pull", "cherry-pick", "revert", "am")):
            words = head.rsplit(" ", 2)
            return float(words[1]) if len(words) == 3 and words[1].isdigit() else 0.0
    return 0.0
