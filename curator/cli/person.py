"""Who runs this command, for every command that decides. Refused with one sentence where it is no person."""

import os
import sys

from curator.cli.common import settings_of
from curator.config import is_demo
from curator.desk.guard import Decider, person
from curator.place import Place


def terminal() -> bool:
    """Is a person's terminal on both ends?"""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def decider(place: Place) -> Decider:
    """The person who decides here, and the way; raises `NotAllowed`. Call it before anything is opened or created."""
    return person(place, os.environ, sys.stdin, settings_of(place).settings.reviewer, demo=is_demo(place.folder))
