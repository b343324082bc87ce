"""The errors a person sees: one line of reason, one exit code.

CuratorError        1  refused, failed or not found
+-- NotFound        1  no such id, file or project
+-- NotAllowed      1  an agent, or nobody, asked for what only a person decides
+-- CannotLook      1  the store is there but could not be read: never shown as "nothing there"
|   +-- Busy        1  it cannot be reached now (locked, full, down); the same call may succeed later
+-- BadUsage        2  the words of the call are wrong
+-- Conflict        3  something changed since it was shown, or only part was done
"""


class CuratorError(Exception):
    """Base of everything the command line reports as one line; `exit_code` is what the process returns."""

    exit_code = 1


class NotFound(CuratorError):
    """The thing named does not exist."""


class NotAllowed(CuratorError):
    """Only a person may do this, here, in this way."""


class CannotLook(CuratorError):
    """Something is there but could not be read."""


class Busy(CannotLook):
    """It is there and sound, but cannot be reached now; the same call may succeed later."""


class BadUsage(CuratorError):
    """The call itself is wrong."""

    exit_code = 2


class Conflict(CuratorError):
    """What was shown is no longer what is there, or only part could be done."""

    exit_code = 3
