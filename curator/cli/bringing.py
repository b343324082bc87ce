"""`import markdown|adr|mem0|claude-mem|basic-memory`: memory files become proposals, and what was left is said."""

from pathlib import Path
from typing import TYPE_CHECKING

from curator.cli.call import Call
from curator.cli.common import out, out_json, place_of, say, store_to_write
from curator.cli.progress import bar
from curator.errors import Conflict, CuratorError, NotFound
from curator.interchange.formats import Format
from curator.plain import one_line

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.cycle.bringing import Brought, FileRead, Import
    from curator.harvest.memory.files import MemoryFile

FORMS = {
    "markdown": Format("CLAUDE.md, AGENTS.md, lessons and other memory files", "", needs_path=False),
    "adr": Format("architecture decision records", "", needs_path=False),
    "mem0": Format("its JSON", ""),
    "claude-mem": Format("its export", ""),
    "basic-memory": Format("its notes", ""),
}
"""Formats that are read as candidates for notes: they go through the door and the sweep, not through a function of
`curator.interchange`."""

_SHOWN = 10
_OUTCOMES = {
    "new": "new",
    "again": "known already",
    "blocked": "refused or retired before, stays so",
    "echo": "said by an entry already, in force or retired",
    "empty": "our own text",
}


def bring(call: Call, form: str, path: Path | None, as_json: bool) -> None:
    """Read the files, note what is worth a note, sweep. Creates nothing where there is nothing to note."""
    from curator.cycle import bringing

    files = found(call, form, path)
    if not files:
        say(f"no files for {form} were found here; name one: curator import {form} PATH")
        if as_json:
            out_json({"files": [], "proposals": [], "counts": {}, "left": 0})
        return
    read = bringing.opened(files, form)
    if path is None and not as_json:
        _announce(read)
    troubled = [each for each in read if each.trouble]
    if len(troubled) == len(read):
        raise CuratorError("; ".join(f"{each.file.name}: {each.trouble}" for each in troubled))
    if not any(each.reading.candidates for each in read):
        _nothing(read, as_json)
    else:
        _report(bringing.bring(store_to_write(call), read, bar()), as_json)
    _faults(read)


def propose(call: Call, read: "list[FileRead]", *, quiet: bool = False) -> None:
    """Note the candidates of files that were read already, then sweep; prints what came of them unless `quiet`."""
    from curator.cycle import bringing

    done = bringing.bring(store_to_write(call), read, bar())
    if not quiet:
        _report(done, as_json=False)
    elif done.proposals:
        say(f"{len(done.proposals)} proposals; next: curator review")


def found(call: Call, form: str, path: Path | None) -> "list[MemoryFile]":
    """The files that a call is about: those named, or those in the usual places. Raises `NotFound`."""
    from curator.harvest.memory import files

    place = place_of(call)
    if path is not None and not (form in {"markdown", "adr"} and files.real(call.start / path) == place.top):
        try:
            return files.named(call.start / path, place.top, decisions=form == "adr")
        except files.NotRead as error:
            raise NotFound(f"{path}: {error}") from error
    if call.user:
        return list(files.of_person())
    if form == "adr":
        return [each for each in files.of_project(place) if each.role is files.Role.DECISIONS]
    return list(files.of_project(place))


def _announce(read: "list[FileRead]") -> None:
    from curator.harvest.memory.files import of_person

    say("read: " + ", ".join(each.file.name for each in read))
    mine = [file.name for file in of_person() if file.name not in {each.file.name for each in read}]
    if mine:
        say(f"not read, because they hold for every project: {', '.join(mine)} (curator --user import markdown)")


def _nothing(read: "list[FileRead]", as_json: bool) -> None:
    if as_json:
        out_json({"files": [_file(each) for each in read], "proposals": [], "counts": {}, "left": 0})
    for each in read:
        say(f"{each.file.name}: nothing in it is worth a note{_left(each)}")


def _report(done: "Import", as_json: bool) -> None:
    if as_json:
        documents = [
            _file(each.read)
            | {"outcomes": dict(each.outcomes), "notes": each.notes}
            | {"blocked": [{"line": line, "reason": reason} for line, reason in each.blocked]}
            | {"redacted": each.redacted}
            for each in done.files
        ]
        out_json(
            {"files": documents, "proposals": done.proposals, "counts": dict(done.report.counts), "left": done.left}
        )
        return
    for each in done.files:
        if not each.read.trouble:
            _line(each)
    ops = {name: number for name, number in done.report.counts.items() if name in _operations()}
    said = ", ".join(f"{number} {name}" for name, number in ops.items())
    out(f"proposals: {len(done.proposals)}" + (f" ({said})" if said else ""))
    if done.left:
        say(f"{done.left} candidates were left for the next import: no more than 1,000 new notes at once")
    if done.proposals:
        say("next: curator review")


def _operations() -> set[str]:
    from curator.vocab import Op

    return {op.value for op in Op}


def _line(each: "Brought") -> None:
    if not each.read.reading.candidates:
        out(f"{each.read.file.name}: nothing in it is worth a note{_left(each.read)}")
        return
    said = [f"{each.outcomes[name]} {words}" for name, words in _OUTCOMES.items() if each.outcomes[name]]
    out(f"{each.read.file.name}: {', '.join(said) or 'left for the next import'}")
    if each.read.reading.counts:
        say(f"  left as they are{_left(each.read)}")
    for line, reason in each.blocked[:_SHOWN]:
        say(f"  line {line}: {one_line(reason, 160)}")
    if each.redacted:
        lines = ", ".join(map(str, each.redacted[:_SHOWN]))
        say(f"  credentials were taken out of the candidates in line {lines}")


def _left(each: "FileRead") -> str:
    counts = each.reading.counts
    return ": " + ", ".join(f"{number} {what}" for what, number in counts.items()) if counts else ""


def _file(each: "FileRead") -> dict[str, object]:
    return {
        "path": each.file.name,
        "role": each.file.role.value,
        "candidates": len(each.reading.candidates),
        "left_there": [{"line": left.line, "what": left.what} for left in each.reading.left],
        "damaged": [{"line": fault.line, "reason": fault.what} for fault in each.reading.faults],
        "encoding": each.encoding,
        "not_read": each.trouble,
    }


def _faults(read: "list[FileRead]") -> None:
    """Say what could not be read; raises `Conflict` where it was not everything."""
    bad = 0
    for each in read:
        if each.encoding:
            say(f"{each.file.name}: read as {each.encoding}")
        if each.trouble:
            bad += 1
            say(f"{each.file.name}: not read: {each.trouble}")
        for fault in each.reading.faults[:_SHOWN]:
            say(f"{each.file.name}: line {fault.line}: {fault.what}")
        bad += len(each.reading.faults)
    if bad:
        raise Conflict(f"partly done: {bad} could not be read")
