"""`curator hook EVENT`: what a client runs. Fail-open, quiet, bounded; standard library only.

Owns the process: exactly one document on stdout whatever else prints, exit 0 whatever happens, no recursion. What an
event does is in the modules beside this one.
"""

import os
import sys

from curator import guard
from curator.light import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one event; always 0. From here on file descriptor 1 is stderr, so only the answer can reach stdout."""
    out = _guarded_stdout()
    try:
        if not guard.inside():
            from curator.hook.call import answer

            _write(out, answer(list(sys.argv[1:] if argv is None else argv)))
    except BaseException as error:  # noqa: BLE001 - a hook never fails its host, whatever happened
        _complain(error)
    return 0


def _guarded_stdout() -> int:
    """A private copy of stdout; None of what other code writes to descriptor 1 gets there any more."""
    try:
        out = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # stdout or stderr is closed
        return -1
    return out


def _write(out: int, text: str) -> None:
    data = text.encode("utf-8", "replace")
    while data and out >= 0:
        data = data[os.write(out, data) :]


def _complain(error: BaseException) -> None:
    """One line on stderr; a broken stderr is no reason to fail either."""
    try:
        sys.stderr.write(f"curator hook: {type(error).__name__}: {error}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass
