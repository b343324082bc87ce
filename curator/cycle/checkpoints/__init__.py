"""Checkpoints in the store: opened, committed, made by a hook or by a program, shown, compared."""

from curator.cycle.checkpoints.commit import Committed, commit
from curator.cycle.checkpoints.hooked import without_model
from curator.cycle.checkpoints.opening import Under, begin
from curator.cycle.checkpoints.shelf import Stored, history, named, newest

__all__ = ["Committed", "Stored", "Under", "begin", "commit", "history", "named", "newest", "without_model"]
