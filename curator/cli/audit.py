"""`audit`: the memory files that are there already, what they cost, and what is wrong with them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.bringing import found, propose
from curator.cli.call import Call
from curator.cli.common import out, out_json, place_of, say, settings_of
from curator.errors import Conflict, CuratorError
from curator.plain import one_line

if TYPE_CHECKING:  # the readers and git cost 100 ms
    from curator.cycle.auditing import Audit, Finding, Looked
    from curator.harvest.memory.files import MemoryFile

app = typer.Typer()

_SHOWN = 20
_TITLES = {
    "contradiction": "contradictions",
    "duplicate": "said twice",
    "secret": "credentials",
    "hidden": "characters that nobody sees",
    "instruction": "orders to an agent",
    "stale": "naming what is not there",
    "damaged": "damaged marks of our own block",
}
_NEXT = {
    "secret": "take the credentials out and revoke them: whoever reads the repository has them",
    "instruction": "read those lines, and who put them there: agents obey them",
    "hidden": "take out the characters that nobody sees: text may hide in them",
    "contradiction": "decide which of two contradicting lines holds, and delete the other",
    "stale": "mend or delete the lines that name what is gone",
    "duplicate": "delete one of two lines that say the same",
    "damaged": "mend or remove the marks of our block by hand",
}


@app.command("audit")
def audit(
    ctx: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Files or folders; none = the usual places.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    propose_: Annotated[
        bool, typer.Option("--propose", help="Turn the lines without a finding into proposals, as an import does.")
    ] = False,
) -> None:
    """Check existing memory files: cost, duplicates, contradictions, credentials, what is stale. Changes nothing."""
    from curator.cycle.auditing import audit as look
    from curator.cycle.bringing import opened
    from curator.edge.tokens import tokens

    call: Call = ctx.obj
    place = place_of(call)
    read = opened(_files(call, paths or []), "markdown")
    if read and all(each.trouble for each in read):
        raise CuratorError("; ".join(f"{each.file.name}: {each.trouble}" for each in read))
    done = look(read, place.top, tokens(settings_of(place).settings.encoding).count)
    if as_json:
        out_json(document(done))
    elif not read:
        say("no memory files were found here; name some: curator audit PATH…")
    else:
        _print(done)
    if propose_ and done.statements:
        propose(call, done.good(), quiet=as_json)
    elif not as_json and (good := sum(len(each.reading.candidates) for each in done.good())):
        out(f"next: curator audit --propose makes proposals of what has no finding ({good} of {done.statements})")
    if bad := [each for each in read if each.trouble]:
        for each in bad:
            say(f"{each.file.name}: not read: {each.trouble}")
        raise Conflict(f"partly done: {len(bad)} files could not be read")


def _files(call: Call, paths: list[Path]) -> "list[MemoryFile]":
    """The named files, or the usual ones of the project and of the home folder, each once."""
    from curator.harvest.memory.files import of_person, real

    given = [file for path in paths for file in found(call, "markdown", path)]
    every = given if paths else [*found(call, "markdown", None), *of_person()]
    return list({real(file.path): file for file in reversed(every)}.values())[::-1]


def document(done: "Audit") -> dict[str, object]:
    """The audit as JSON; texts hold no credential."""
    return {
        "files": [_file(looked) for looked in done.files],
        "findings": [_finding(finding) for finding in done.findings],
        "counts": {kind: len(done.of(kind)) for kind in _TITLES},
        "statements": done.statements,
        "compared": done.compared,
        "tokens": _per_client(done),
        "next": _next(done),
    }


def _file(looked: "Looked") -> dict[str, object]:
    read = looked.read
    return {
        "path": read.file.name,
        "role": read.file.role.value,
        "lines": looked.lines,
        "bytes": looked.bytes,
        "tokens": looked.tokens,
        "client": looked.client,
        "loaded": looked.loaded,
        "statements": len(read.reading.candidates),
        "left": read.reading.counts,
        "encoding": read.encoding,
        "not_read": read.trouble,
    }


def _finding(finding: "Finding") -> dict[str, object]:
    other = finding.other
    return {
        "kind": finding.kind,
        "file": finding.at.file,
        "line": finding.at.line,
        "text": finding.at.text,
        "why": finding.why,
        "other": {"file": other.file, "line": other.line, "text": other.text} if other else None,
    }


def _per_client(done: "Audit") -> dict[str, int]:
    """What the start of each session costs by client, in the client's own tokens."""
    from curator.edge.tokens import margin_of

    total: dict[str, int] = {}
    for looked in done.files:
        if looked.loaded.startswith("every session"):
            client = looked.client or "any"
            total[client] = total.get(client, 0) + round(looked.tokens * margin_of(looked.client or None))
    return total


def _print(done: "Audit") -> None:
    for looked in done.files:
        read = looked.read
        if read.trouble:
            continue
        cost = f"{looked.tokens:>7,} tokens" + (f" {looked.loaded}" if looked.loaded else " when it is read")
        said = f", read as {read.encoding}" if read.encoding else ""
        out(f"{read.file.name:<34} {looked.lines:>6} lines {cost}; statements: {len(read.reading.candidates)}{said}")
    if costs := _per_client(done):
        told = ", ".join(f"{client} {tokens:,}" for client, tokens in sorted(costs.items()))
        out(f"each session begins with about {told} tokens of these files, counted as each client counts")
    for kind, title in _TITLES.items():
        if findings := done.of(kind):
            _section(findings, f"{title}: {len(findings)}")
    if done.compared < done.statements:
        say(f"only the first {done.compared:,} of {done.statements:,} statements were compared with each other")
    out()
    for line in _next(done) or ["there is nothing to mend"]:
        out(f"next: {line}")


def _section(findings: "list[Finding]", title: str) -> None:
    out(f"\n{title}")
    for finding in findings[:_SHOWN]:
        at, other = finding.at, finding.other
        text = f"  {one_line(at.text, 100)}" if at.text else ""
        why = f"  ({one_line(finding.why, 120)})" if not other or finding.kind == "contradiction" else ""
        out(f"  {at.file}:{at.line}{text}{why}")
        if other:
            out(f"    and {other.file}:{other.line}  {one_line(other.text, 100)}")
    if len(findings) > _SHOWN:
        out(f"  and {len(findings) - _SHOWN} more; --json has them all")


def _next(done: "Audit") -> list[str]:
    """What to do, the most urgent first."""
    return [text for kind, text in _NEXT.items() if done.of(kind)]
