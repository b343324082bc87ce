"""Conversations as values: reading a client's file record by record, without knowing the client."""

from curator.transcript.jsonl import Cursor, Damaged, Record, believed, cursor_at, open_file, records
from curator.transcript.message import Call, Mark, Message, instant

__all__ = [
    "Call",
    "Cursor",
    "Damaged",
    "Mark",
    "Message",
    "Record",
    "believed",
    "cursor_at",
    "instant",
    "open_file",
    "records",
]
