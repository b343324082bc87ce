"""Our entries in settings files: twelve odd files, what a person does in between, and what cannot be done."""

import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curator.errors import Conflict, CuratorError
from curator.hosts import files, plug, settings
from curator.hosts.hookline import Program, posix
from curator.hosts.jsonc import parse
from curator.hosts.settings import Wanted

NOW = datetime(2031, 3, 5, 12, 0, tzinfo=UTC)
CASES = Path(__file__).parent.parent / "cases"
PROGRAM = Program("/opt/a b/bin/python", "/opt/a b/bin/curator")
WANTED = (
    Wanted("SessionStart", posix(PROGRAM, "session-start --client claude"), 5),
    Wanted("PreToolUse", posix(PROGRAM, "pre-tool --client claude"), 5, "Bash|Edit"),
    Wanted("Stop", posix(PROGRAM, "stop --client claude"), 5),
)
OTHERS = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo mine"}]}]},"model":"x"}'
ODD = {
    "comments and trailing commas": (CASES / "82" / "settings.json").read_text(encoding="utf-8"),
    "trailing comma": '{\n  "model": "x",\n  "env": {},\n}\n',
    "byte order mark": '\ufeff{\n  "model": "x"\n}\n',
    "line ends of Windows": '{\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
    "other hooks": (CASES / "81" / "settings.json").read_text(encoding="utf-8"),
    "spaces": '{\n    "model":   "x" ,\n    "env" : { "A":"1" }\n}',
    "tabs": '{\n\t"hooks": {\n\t\t"PreToolUse": [ ]\n\t}\n}\n',
    "one line": OTHERS,
    "only our container": (CASES / "83" / "only_ours.json").read_text(encoding="utf-8"),
    "empty object": "{ }",
    "empty": "",
    "only a line end": "\n",
    "other scripts": '{"env": {"名": "日本語 \\u00e9 é 🙂"}}\n',
}


def do_install(path: Path, wanted: tuple[Wanted, ...] = WANTED) -> Path | None:
    """Plan and apply; returns the copy."""
    return plug.apply(plug.plan_install(path, wanted), NOW)


def do_uninstall(path: Path) -> None:
    """Plan and apply."""
    plug.apply(plug.plan_uninstall(path), NOW)


def value_of(path: Path) -> Any:
    """What a client reads."""
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_files_come_back_byte_for_byte(text: str, tmp_path: Path) -> None:
    """Install adds each entry once, again changes no byte, uninstall brings the file back; mode 0600 stays."""
    path = tmp_path / "settings.json"
    path.write_bytes(text.encode())
    path.chmod(0o600)
    copy = do_install(path)
    installed = path.read_bytes()
    assert copy and copy.read_bytes() == text.encode()
    assert [
        (found.event, found.words[0]) for found in sorted(settings.find(installed.decode()), key=lambda f: f.event)
    ] == [
        ("PreToolUse", "pre-tool"),
        ("SessionStart", "session-start"),
        ("Stop", "stop"),
    ]
    assert do_install(path) is None
    assert path.read_bytes() == installed
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    do_uninstall(path)
    assert path.read_bytes() == text.encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [child.name for child in tmp_path.iterdir()] == ["settings.json"]
    do_uninstall(path)
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize(
    "text", [text for text in ODD.values() if text.strip()], ids=[k for k, v in ODD.items() if v.strip()]
)
def test_without_the_copy_the_meaning_still_comes_back(text: str, tmp_path: Path) -> None:
    """Where the dated copy is gone, uninstall leaves no entry of ours and nobody else's value changed."""
    path = tmp_path / "settings.json"
    path.write_bytes(text.encode())
    do_install(path)
    for copy in files.copies(path):
        copy.unlink()
    do_uninstall(path)
    left = path.read_text(encoding="utf-8-sig") if path.exists() else "{}"
    assert settings.find(left) == ()
    before = parse(text).value
    after = parse(left).value
    assert {k: v for k, v in after.items() if k != "hooks"} == {k: v for k, v in before.items() if k != "hooks"}
    foreign = {event: groups for event, groups in before.get("hooks", {}).items() if groups}
    assert {event: groups for event, groups in after.get("hooks", {}).items() if groups} == foreign


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """A settings file that is a link (kept with other dotfiles) is changed where it really lies."""
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text(OTHERS)
    path = tmp_path / "settings.json"
    path.symlink_to(real)
    do_install(path)
    assert path.is_symlink()
    assert settings.find(real.read_text())
    do_uninstall(path)
    assert path.is_symlink()
    assert real.read_text() == OTHERS


def test_a_missing_file_is_made_and_taken_away_again(tmp_path: Path) -> None:
    """A file that we made is readable by its owner only, and goes with uninstall."""
    path = tmp_path / ".claude" / "settings.json"
    assert do_install(path) is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert set(value_of(path)["hooks"]) == {"SessionStart", "PreToolUse", "Stop"}
    do_uninstall(path)
    assert not path.exists()
    do_uninstall(path)
    assert not path.exists()


def test_case_81_other_tools_hooks_and_keys_stay(tmp_path: Path) -> None:
    """Foreign entries and unknown keys keep value and order, also after another tool reordered the file."""
    text = (CASES / "81" / "settings.json").read_text(encoding="utf-8")
    path = tmp_path / "settings.json"
    path.write_text(text)
    planned = plug.plan_install(path, WANTED)
    assert path.read_text() == text
    assert planned.diff.count("\n+") > 20
    assert "-   " not in planned.diff.replace("---", "")
    copy = plug.apply(planned, NOW)
    assert copy and "20310305T120000Z" in copy.name
    before, after = json.loads(text), value_of(path)
    assert list(after) == list(before)
    for event, groups in before["hooks"].items():
        assert after["hooks"][event][: len(groups)] == groups
    assert [len(groups) for groups in after["hooks"].values()] == [3, 2, 1, 1]
    reordered = dict(reversed(after.items()))
    reordered["hooks"] = {event: list(reversed(groups)) for event, groups in reversed(after["hooks"].items())}
    path.write_text(json.dumps(reordered))
    assert do_install(path) is None
    assert value_of(path) == reordered


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ((CASES / "82" / "broken.json").read_text(encoding="utf-8"), 1),
        ('{\n  "hooks": []\n}', 2),
        ('{\n  "hooks": {\n    "Stop": {}\n  }\n}', 3),
        ("[]", 1),
        ('{"model": "x"\n', 2),
    ],
)
def test_case_82_what_cannot_be_read_is_refused_untouched(text: str, line: int, tmp_path: Path) -> None:
    """A broken file, or one of another shape, is not touched; the error has the line and what to add by hand."""
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(plug.NotAdded) as caught:
        plug.plan_install(path, WANTED)
    assert f"{path}, line {line}:" in str(caught.value)
    assert json.loads(caught.value.snippet)["hooks"]["Stop"] == [WANTED[2].group]
    assert path.read_text() == text
    assert [child.name for child in tmp_path.iterdir()] == ["settings.json"]


def test_case_83_edits_made_since_stay(tmp_path: Path) -> None:
    """A changed timeout is still ours; a foreign hook in our group and a new key stay; nothing empty of ours stays."""
    path = tmp_path / "settings.json"
    path.write_text((CASES / "83" / "settings.json").read_text(encoding="utf-8"))
    original = value_of(path)
    do_install(path)
    edited = value_of(path)
    foreign = {"type": "command", "command": "echo foreign"}
    edited["hooks"]["SessionStart"][-1]["hooks"][0]["timeout"] = 60
    edited["hooks"]["PreToolUse"][-1]["hooks"].append(foreign)
    edited["added"] = True
    path.write_text(json.dumps(edited, indent=4))
    assert do_install(path) is None
    do_uninstall(path)
    group = {"matcher": "Bash|Edit", "hooks": [foreign]}
    original["hooks"]["PreToolUse"].append(group)
    assert value_of(path) == {**original, "added": True}
    kept = path.read_bytes()
    do_uninstall(path)
    assert path.read_bytes() == kept


def test_case_83_containers_that_stood_empty_stay(tmp_path: Path) -> None:
    """After an edit, `hooks: {}` and an empty event of the person's are still there; ours are gone."""
    path = tmp_path / "settings.json"
    path.write_text('{\n  "hooks": {\n    "Stop": []\n  }\n}\n')
    do_install(path)
    path.write_text(path.read_text().replace("{\n", '{\n  "added": 1,\n', 1))
    do_uninstall(path)
    assert path.read_text() == '{\n  "added": 1,\n  "hooks": {\n    "Stop": []\n  }\n}\n'


def test_a_moved_program_is_brought_up_to_date(tmp_path: Path) -> None:
    """Install from another place changes the command only, keeps the person's timeout, and still goes back exactly."""
    path = tmp_path / "settings.json"
    path.write_text(OTHERS)
    do_install(path)
    moved = tuple(Wanted(w.event, w.command.replace("/opt/a b", "/srv/c"), w.timeout, w.matcher) for w in WANTED)
    do_install(path, moved)
    assert "/opt/a b" not in path.read_text()
    assert len(settings.find(path.read_text())) == len(WANTED)
    assert len(files.copies(path)) == 1
    do_uninstall(path)
    assert path.read_text() == OTHERS


def test_the_two_parts_of_a_session_start_are_two_entries(tmp_path: Path) -> None:
    """An entry for the checkpoint part stands beside the one for the memories; each is there once."""
    path = tmp_path / "settings.json"
    parts = tuple(
        Wanted("SessionStart", posix(PROGRAM, f"session-start --client claude --part {part}"), 5)
        for part in ("memories", "checkpoint")
    )
    do_install(path, parts)
    assert do_install(path, parts) is None
    assert len(settings.find(path.read_text())) == 2


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    """A file that its owner may not write is left alone, even where the folder would allow to replace it."""
    path = tmp_path / "settings.json"
    path.write_text(OTHERS)
    path.chmod(0o400)
    with pytest.raises(CuratorError, match=r"settings\.json is read-only; nothing was changed"):
        do_install(path)
    assert path.read_text() == OTHERS
    assert [child.name for child in tmp_path.iterdir()] == ["settings.json"]


def test_a_change_made_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Between plan and write somebody else wrote: a conflict, their text stays, no copy is left."""
    path = tmp_path / "settings.json"
    path.write_text(OTHERS)
    planned = plug.plan_install(path, WANTED)
    path.write_text("{}")
    with pytest.raises(Conflict):
        plug.apply(planned, NOW)
    assert path.read_text() == "{}"
    assert [child.name for child in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("allowed", [0, 1])
def test_case_79_a_full_disk_changes_nothing(allowed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No room for the copy, or for the new file: the old one is whole, nothing is left over, the error has the path."""
    text = (CASES / "79" / "settings.json").read_text(encoding="utf-8")
    path = tmp_path / "settings.json"
    path.write_text(text)
    real, calls = os.fsync, []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) > allowed:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CuratorError, match=r"settings\.json.* could not be written: No space left on device"):
        do_install(path)
    assert path.read_text() == text
    assert [child.name for child in tmp_path.iterdir()] == ["settings.json"]
    monkeypatch.setattr(os, "fsync", real)
    assert do_install(path)


def test_text_of_another_encoding_is_refused(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are not guessed at."""
    path = tmp_path / "settings.json"
    path.write_bytes('{"a": "é"}'.encode("latin-1"))
    with pytest.raises(CuratorError, match="not UTF-8"):
        do_install(path)
