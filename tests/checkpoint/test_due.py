"""The request at the end of a turn (spec: Ladder, way a; hosts: stop)."""

import pytest

from curator.checkpoint.due import Request, due
from curator.checkpoint.limits import Window, window_of

CLAUDE = window_of("claude")


@pytest.mark.parametrize(
    ("used", "request_"),
    [(0, None), (119_999, None), (120_000, "suggest"), (143_999, "suggest"), (144_000, "ask"), (190_000, "ask")],
)
def test_it_is_suggested_at_three_quarters_and_asked_for_at_nine_tenths(used: int, request_: str | None) -> None:
    """T of Claude Code's window is 160,000: from 120,000 suggested, from 144,000 asked for."""
    found = due(used, CLAUDE)
    assert (found.request.value if found else None) == request_


def test_it_comes_once_per_fifth_of_growth_and_anew_after_a_compaction() -> None:
    """Suggested at 120,000: silent until 144,000, then asked; silent until 172,800; after a drop it counts anew."""
    assert due(130_000, CLAUDE, last_request=120_000) is None
    asked = due(144_000, CLAUDE, last_request=120_000)
    assert asked and asked.request is Request.ASK
    assert due(172_799, CLAUDE, last_request=144_000) is None and due(172_800, CLAUDE, last_request=144_000)
    assert due(121_000, CLAUDE, last_request=172_800)


def test_it_never_comes_while_a_stop_hook_goes_on() -> None:
    """Asking is one continuation, not a loop."""
    assert due(190_000, CLAUDE, stop_hook_active=True) is None


@pytest.mark.parametrize("used", [130_000, 150_000])
def test_its_words_name_host_numbers_and_command(used: int) -> None:
    """Facts and the command that runs; whose words they are is said."""
    found = due(used, CLAUDE)
    assert found and f"{used:,} of 160,000" in found.text
    assert "curator checkpoint begin" in found.text and "not from the person" in found.text


def test_an_unknown_client_has_the_unknown_window() -> None:
    """A set window wins over the client's own; nothing known means 128,000."""
    assert window_of("gemini") == Window(0) and window_of("claude", 1_000_000).tokens == 1_000_000
