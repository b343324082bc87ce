"""A marker means the same wherever it is read."""

import pytest

from curator.door import without_marker
from curator.harvest.rules import begins_with_marker
from curator.vocab import Kind


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("form", ["{}: x", "**{}:** x", "{} : x", "{}：x"])
def test_every_marker_that_begins_a_note_names_its_kind(kind: Kind, form: str) -> None:
    """Hyphen or space, markup or full-width colon: what is seen as a marker is also taken off and understood."""
    for name in {kind.value, kind.value.replace("-", " "), kind.value.title()}:
        text = form.format(name)
        assert begins_with_marker(text)
        assert without_marker(text)[0] == "x"
        assert without_marker(text)[1].replace(" ", "-") == kind.value
