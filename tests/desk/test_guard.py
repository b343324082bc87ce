"""Only a person decides: terminal without an agent, or the key a person made."""

import io
import os
import pty
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from curator.desk import guard
from curator.errors import NotAllowed
from curator.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A project."""
    root = tmp_path / "shop"
    (root / ".curator").mkdir(parents=True)
    return Place(root, root)


@pytest.fixture
def terminal() -> Iterator[TextIO]:
    """The near end of a pseudo-terminal."""
    far, near = pty.openpty()
    with os.fdopen(near, "r") as file:
        yield file
    os.close(far)


@pytest.fixture
def key(place: Place, terminal: TextIO, home: Path) -> Path:
    """A key made on a terminal."""
    return guard.make_key(place, {"HOME": str(home)}, terminal)[0]


def test_a_person_on_a_terminal_decides(place: Place, terminal: TextIO) -> None:
    """The name is the setting's, else the login's."""
    assert guard.person(place, {"USER": "ana"}, terminal) == guard.Decider("ana", "terminal")
    assert guard.person(place, {"USER": "ana"}, terminal, "bea").reviewer == "bea"


@pytest.mark.parametrize(
    "variable",
    [
        "CLAUDECODE",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "GEMINI_CLI",
        "COPILOT_CLI",
        "OPENCODE",
        "CURSOR_AGENT",
    ],
)
def test_an_agents_variable_refuses_terminal_key_and_browser_alike(
    place: Place, terminal: TextIO, key: Path, variable: str
) -> None:
    """Whatever else is there, the sentence names the variable and what to do instead."""
    with guard.browser_token(place) as token:
        for more in ({}, {guard.KEY_FILE: str(key)}, {guard.WEB_VARIABLE: token}):
            with pytest.raises(NotAllowed, match=f"{variable}.*curator review"):
                guard.person(place, {variable: "1", **more}, terminal)
    with pytest.raises(NotAllowed, match=variable):
        guard.make_key(place, {variable: "1"}, terminal)


def test_what_an_editor_or_a_person_sets_is_no_agents_hand(place: Place, terminal: TextIO) -> None:
    """The person's own terminal inside an editor may decide."""
    env = {
        "CURSOR_TRACE_ID": "1",
        "CLAUDE_CODE_SSE_PORT": "4242",
        "CODEX_HOME": "/h",
        "GEMINI_API_KEY": "k",
        "OPENCODE": "",
    }
    assert guard.person(place, env, terminal).via == "terminal"


def test_without_a_terminal_nobody_decides(place: Place) -> None:
    """A pipe, a closed stream and none at all are refused, with the way out."""
    closed = io.StringIO()
    closed.close()
    for stdin in (io.StringIO("y\n"), closed, None):
        with pytest.raises(NotAllowed, match="decide-key"):
            guard.person(place, {}, stdin)


def test_the_key_replaces_the_terminal_and_is_made_once(place: Place, terminal: TextIO, key: Path, home: Path) -> None:
    """It is made on a terminal only, for its owner only; a second call gives the same."""
    assert guard.person(place, {guard.KEY_FILE: str(key), "USER": "ana"}, None) == guard.Decider("ana", "key")
    assert key.stat().st_mode & 0o777 == 0o600 and not key.is_relative_to(place.root)
    text = key.read_text()
    assert guard.make_key(place, {"HOME": str(home)}, terminal) == (key, False)
    assert key.read_text() == text
    with pytest.raises(NotAllowed, match="in a terminal"):
        guard.make_key(place, {}, io.StringIO())


def test_a_key_that_others_can_read_or_that_is_not_one_is_refused(place: Place, key: Path, tmp_path: Path) -> None:
    """Mode, kind of file, place and content are checked, each with its own sentence."""
    inside = place.root / "decide.key"
    inside.write_text(key.read_text())
    inside.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(key)
    forged = tmp_path / "forged"
    forged.write_text("curator-decide-key 1\n" + "0" * 64 + "\n" + "0" * 64 + "\n")
    forged.chmod(0o600)
    wide = tmp_path / "wide"
    wide.write_text(key.read_text())
    wide.chmod(0o644)
    for path, reason in (
        (inside, "inside the project"),
        (link, "plain file"),
        (forged, "is no decide key"),
        (wide, "read by others"),
        (tmp_path / "missing", "could not be read"),
        (tmp_path, "plain file"),
    ):
        with pytest.raises(NotAllowed, match=reason):
            guard.person(place, {guard.KEY_FILE: str(path)}, None)


def test_a_key_of_another_user_is_refused(place: Place, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of the file must be who runs the command."""
    monkeypatch.setattr(os, "geteuid", lambda: key.stat().st_uid + 1)
    with pytest.raises(NotAllowed, match="another user"):
        guard.person(place, {guard.KEY_FILE: str(key)}, None)


def test_a_browsers_token_works_while_its_session_runs(place: Place) -> None:
    """A made-up token never works, the real one not after the end; the token itself is stored nowhere."""
    with guard.browser_token(place) as token:
        assert guard.person(place, {guard.WEB_VARIABLE: token}, None).via == "browser"
        assert all(token not in path.read_text() for path in place.folder.iterdir())
        with pytest.raises(NotAllowed, match="has ended"):
            guard.person(place, {guard.WEB_VARIABLE: "made-up"}, None)
    with pytest.raises(NotAllowed, match="has ended"):
        guard.person(place, {guard.WEB_VARIABLE: token}, None)


def test_a_demo_store_may_decide_by_script(place: Place, terminal: TextIO) -> None:
    """Named as such in the ledger; a person there is still a person."""
    assert guard.person(place, {"CLAUDECODE": "1"}, None, demo=True).via == "demo"
    assert guard.person(place, {}, terminal, demo=True).via == "terminal"
