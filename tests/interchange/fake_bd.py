"""A small `bd` for the tests: the commands that we call, on two JSON files, with the habits of the real one.

Import takes a row only when it is newer, and no tombstone; every call is noted in `calls.json`.
"""

import json
import sys
from pathlib import Path
from typing import Any

HOME = Path(".beads")


def stored(name: str) -> dict[str, Any]:
    """What is kept under a name."""
    path = HOME / name
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def store(name: str, value: object) -> None:
    """Keep it."""
    (HOME / name).write_text(json.dumps(value), encoding="utf-8")


def flag(words: list[str], name: str) -> str:
    """A flag's value."""
    return words[words.index(name) + 1]


def create(words: list[str]) -> None:
    """Make an issue, deferred."""
    issues = stored("issues.json")
    if flag(words, "--id") in issues:
        sys.exit("Error: issue exists")
    key = (HOME / "other-id").read_text() if (HOME / "other-id").exists() else flag(words, "--id")
    issue: dict[str, Any] = {
        "id": key,
        "title": words[-1],
        "description": flag(words, "--description"),
        "status": "deferred",
    }
    issue |= {"priority": 2, "issue_type": flag(words, "--type"), "labels": flag(words, "--labels").split(",")}
    issue |= {"created_at": "2031-03-05T12:00:00Z", "updated_at": "2031-03-05T12:00:00Z"}
    issue |= {"defer_until": f"{flag(words, '--defer')}T00:00:00Z"}
    if "--metadata" in words:
        issue["metadata"] = json.loads(flag(words, "--metadata"))
    store("issues.json", issues | {key: issue})
    sys.stdout.write(json.dumps(issue))


def take(words: list[str]) -> None:
    """Take in rows that are newer and alive."""
    issues = stored("issues.json")
    for line in Path(flag(words, "-i")).read_bytes().split(b"\n"):
        row = json.loads(line) if line.strip() else {"status": "tombstone"}
        if row["status"] != "tombstone" and row["updated_at"] > issues.get(row["id"], {}).get("updated_at", ""):
            issues[row["id"]] = {key: value for key, value in row.items() if key != "_type"}
    store("issues.json", issues)


def main(words: list[str]) -> None:
    """One call."""
    if not HOME.is_dir():
        sys.exit("Error: no beads database found\nHint: run 'bd init'")
    calls = json.loads((HOME / "calls.json").read_text()) if (HOME / "calls.json").exists() else []
    store("calls.json", [*calls, words])
    if words[0] == "export":
        for key, issue in sorted(stored("issues.json").items()):
            line = json.dumps({"_type": "issue", **issue, "id": key}, ensure_ascii=False, separators=(",", ":"))
            sys.stdout.buffer.write(line.replace("<", "\\u003c").encode() + b"\n")
    elif words[0] == "memories":
        sys.stdout.write(json.dumps({"schema_version": 1, "data": stored("memories.json")}))
    elif words[0] == "remember":
        store("memories.json", stored("memories.json") | {flag(words, "--key"): words[-1]})
    elif words[0] == "create":
        create(words)
    elif words[0] == "import":
        take(words)


main(sys.argv[1:])
