"""Claude Code's event for a failed tool."""

from curator.brief.envelope import document


def test_a_failed_tools_answer_carries_the_events_own_name() -> None:
    """Our post-tool hook answers both events of the client, each under the name that the client gave."""
    plain = document("claude", "post-tool", "x", "PostToolUse")
    failed = document("claude", "post-tool", "x", "PostToolUseFailure")
    assert plain["hookSpecificOutput"]["hookEventName"] == "PostToolUse"
    assert failed["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"
