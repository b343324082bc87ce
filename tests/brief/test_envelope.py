"""What a client takes besides the text: the event's own name, and a word to the person."""

import json

from curator.brief.envelope import Said, document, faults, wrap


def test_a_failed_tools_answer_carries_the_events_own_name() -> None:
    """Our post-tool hook answers both events of the client, each under the name that the client gave."""
    plain = document("claude", "post-tool", "x", "PostToolUse")
    failed = document("claude", "post-tool", "x", "PostToolUseFailure")
    assert plain["hookSpecificOutput"]["hookEventName"] == "PostToolUse"
    assert failed["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"


def test_a_notice_goes_to_the_person_of_a_client_that_shows_it() -> None:
    """Claude Code gets the notice apart from the text; a client that would fail on an unknown key does not get it."""
    said = Said("memory", "2 proposals wait")
    claude = wrap("claude", "session-start", said)
    assert json.loads(claude)["systemMessage"] == "2 proposals wait"
    assert json.loads(claude)["hookSpecificOutput"]["additionalContext"] == "memory"
    assert faults("claude", "session-start", claude.encode(), 9_500) == []
    codex = wrap("codex", "session-start", said)
    assert set(json.loads(codex)) == {"hookSpecificOutput"}
    assert wrap("claude", "session-start", Said("", "2 proposals wait")) == ""
