"""The desk's thread: every call runs there in order, and its answer comes back as a message.

Owns the queue of calls. A look that a newer look of the same name has overtaken is skipped; a decision never is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from textual.message import Message

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk


Failed = Callable[[Exception], None]


@dataclass(frozen=True)
class Job:
    """`call` runs in the thread; `then` or `failed` runs on the event loop. `look` names what may be overtaken."""

    call: Callable[["Desk"], Any]
    then: Callable[[Any], None]
    failed: Failed
    look: str = ""
    number: int = 0


class Reply(Message):
    """An answer of the desk, on its way to the event loop."""

    def __init__(self, deliver: Callable[[], None]) -> None:
        super().__init__()
        self.deliver = deliver


class Calls:
    """The calls that wait for the desk. `put` from the event loop, `run` in the thread."""

    def __init__(self, open_desk: Callable[[], "Desk"], post: Callable[[Message], object]) -> None:
        self._open = open_desk
        self._post = post
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._newest: dict[str, int] = {}
        self._count = 0

    def put(self, job: Job) -> None:
        """Add a call at the end."""
        self._count += 1
        if job.look:
            self._newest[job.look] = self._count
        self._queue.put(Job(job.call, job.then, job.failed, job.look, self._count))

    def stop(self) -> None:
        """Let the thread end when all calls before this are done."""
        self._queue.put(None)

    def run(self) -> None:
        """Answer calls until `stop`. Opening is tried again with each call for as long as it fails."""
        desk: Desk | None = None
        while (job := self._queue.get()) is not None:
            if job.look and self._newest[job.look] != job.number:
                continue
            try:
                desk = desk or self._open()
                answer = job.call(desk)
            except Exception as error:  # noqa: BLE001 - the screen says every failure and goes on
                self._deliver(job.failed, error)
            else:
                self._deliver(job.then, answer)

    def _deliver(self, to: Callable[[Any], None], value: object) -> None:
        self._post(Reply(lambda: to(value)))
