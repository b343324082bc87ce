"""The door: `hook` before anything else is imported, then the command line; failures as one line.

Owns exit codes and what stands on stderr when a command fails. Nothing else lives here.
"""

import os
import sys

from curator.errors import CuratorError
from curator.light import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one call and return its exit code: 0 done, 1 failed, 2 wrong usage, 3 conflict or partial."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["-C"] and words[2:3] == ["hook"]:
        words = _moved(words)
    if words[:1] == ["hook"]:
        return _hook(words[1:], last=argv is None)
    try:
        return _run(words)
    except CuratorError as error:
        return _failed(str(error), error.exit_code)
    except BrokenPipeError:
        # Nobody reads any more; without this the interpreter complains when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(f"{where}{error.strerror or error}", 1)
    except KeyboardInterrupt:
        return 130


def _hook(words: list[str], *, last: bool) -> int:
    """One hook event; where the process is there for nothing else it neither collects garbage nor tidies up."""
    import gc

    from curator.hook import main as hook

    if last:
        gc.disable()
    code = hook(words)
    if last:
        _left(code)
    return code


def _left(code: int) -> None:
    """End the process with what others printed, and without taking apart what the system frees anyway."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # closed, or nobody reads it
            continue
    os._exit(code)


def _moved(words: list[str]) -> list[str]:
    """The call without `-C DIR`, made from there; a hook goes on from where it is when DIR is not there."""
    try:
        os.chdir(words[1])
    except OSError as error:
        sys.stderr.write(f"curator: -C {words[1]}: {error.strerror}\n")
    return words[2:]


def _run(words: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    if "review" in words[:3]:
        from curator.cli.reviewing import quick

        answered = quick(words)
        if answered is not None:
            return answered
    from curator.cli.app import run

    try:
        run(words)
    except SystemExit as left:
        code = left.code
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    return 0


def _failed(reason: str, code: int) -> int:
    from curator.plain import plain

    sys.stderr.write(f"curator: {' '.join(plain(reason).splitlines())}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
