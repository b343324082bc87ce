"""Textual's driver for a terminal on which the first frame stands already (`tui.opening`)."""

from typing import TYPE_CHECKING, cast

from textual.drivers.linux_driver import LinuxDriver

from tui.opening import ENTER

if TYPE_CHECKING:
    from tui.app import CuratorApp


class TakingDriver(LinuxDriver):
    """Does not enter the alternate screen a second time (some terminals clear it), and knows the modes from before."""

    _entered = False

    def start_application_mode(self) -> None:
        """As Textual's; the first time it takes the terminal over from the opening."""
        opening = cast("CuratorApp", self._app).opening
        first = opening is not None and not opening.taken
        self._entered = first
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if opening is not None and first:
            opening.taken = True
            self.attrs_before = opening.attributes

    def write(self, data: str) -> None:
        """Write to the terminal."""
        if self._entered and data == ENTER:
            self._entered = False
            return
        super().write(data)
