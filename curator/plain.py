"""The one door for text from outside: what a terminal, a tokenizer and a database can all take.

`clean` is for storing: invisible and steering characters go, meaning stays. `plain` is for showing: whatever is
left that could steer a terminal becomes a visible escape. Neither ever drops a neighbour of what it repairs.
"""

from curator.light import Callable

# Patterns stay text until the first use (`re` keeps them then): the hook seldom needs one, and compiling costs it.
# C0 without tab and newline, DEL, C1 without NEL; bidi controls; zero-width characters; BOM; tag characters.
# U+200D (zero-width joiner) stays: emoji and several scripts need it.
_STEERING = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\U000e0000-\U000e007f]"
)
_ESCAPES = (
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC: title, clipboard, link
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # DCS, SOS, PM, APC
    r"|\x1b\[[0-?]*[ -/]*[@-~]?"  # CSI
    r"|\x9b[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
)
_SURROGATES = "[\ud800-\udfff]"
_SEPARATORS = "\r\n?|\u2028|\u2029|\x85"


def repaired(text: str) -> str:
    """The text with lone halves of surrogate pairs replaced by U+FFFD, so that it can be written as UTF-8."""
    import re

    return re.sub(_SURROGATES, "\ufffd", text)


def clean(text: str) -> str:
    """Text as it is stored: valid UTF-8, `\\n` only, no terminal escapes, control, bidi or zero-width characters."""
    import re

    text = re.sub(_SEPARATORS, "\n", repaired(text))
    return re.sub(_STEERING, "", re.sub(_ESCAPES, "", text))


def plain(text: str) -> str:
    """Text as it is shown: like `repaired`, with every steering character as a visible escape such as `\\x1b`."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text  # nothing that steers, separates or is half a character is printable
    import re

    text = re.sub(_SEPARATORS, "\n", repaired(text))
    return re.sub(_STEERING, lambda match: _visible(match.group()), text)


def one_line(text: str, limit: int = 0) -> str:
    """Text for a single row: shown form, white space collapsed, at most `limit` characters (0 = no limit)."""
    flat = " ".join(plain(text).split())
    return flat if not limit or len(flat) <= limit else flat[: limit - 1] + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 entry`, `1,000 entries`; the plural is made with `s` unless it is given."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def hides(text: str) -> bool:
    """Does the text carry characters that a reader would not see or a terminal would obey?"""
    import re

    return bool(re.search(_STEERING, text))


def fitting(text: str, fits: Callable[[str], bool]) -> str:
    """The longest beginning of a text that `fits` accepts, never cut inside what a reader sees as one character.

    `fits` must accept every beginning of what it accepts; it is asked about log2(length) times.
    """
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(text[:middle]):
            low = middle
        else:
            high = middle - 1
    while 0 < low < len(text) and joined(text, low):
        low -= 1
    return text[:low]


def joined(text: str, at: int) -> bool:
    """Would a cut before position `at` split a grapheme cluster (marks, joiners, flags, jamo, CR LF)?"""
    import unicodedata

    before, after = text[at - 1], text[at]
    if before == "\r" and after == "\n":
        return True
    if after in _JOINERS or unicodedata.category(after)[0] == "M" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if before == "\u200d" or (_jamo(before) and _jamo(after)):
        return True
    if _flag(before) and _flag(after):
        run = at
        while run and _flag(text[run - 1]):
            run -= 1
        return (at - run) % 2 == 1
    return False


_JOINERS = frozenset("\u200d\ufe0e\ufe0f")


def _jamo(char: str) -> bool:
    return "\u1100" <= char <= "\u11ff"


def _flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _visible(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
