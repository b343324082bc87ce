"""The estimate without a vocabulary never promises more room than there is."""

import base64
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.edge.estimate import estimated
from curator.edge.tokens import tokens

SCRIPTS = {
    "latin": (0xC0, 0x250),
    "greek": (0x370, 0x400),
    "cyrillic": (0x400, 0x500),
    "armenian": (0x530, 0x590),
    "hebrew": (0x590, 0x600),
    "arabic": (0x600, 0x700),
    "devanagari": (0x900, 0x980),
    "thai": (0xE00, 0xE80),
    "georgian": (0x10A0, 0x1100),
    "jamo": (0x1100, 0x1200),
    "ethiopic": (0x1200, 0x1380),
    "kana": (0x3040, 0x3100),
    "chinese": (0x4E00, 0xA000),
    "rare chinese": (0x20000, 0x2A6D0),
    "korean": (0xAC00, 0xD7A4),
    "emoji": (0x1F300, 0x1F700),
    "signs": (0x2190, 0x2800),
    "private": (0xE000, 0xF900),
    "controls": (0x01, 0xA0),
    "accents": (0x300, 0x370),
}
ALPHABETS = {
    "lower": string.ascii_lowercase,
    "UPPER": string.ascii_uppercase,
    "consonants": "bcdfghjklmnpqrstvwxz",
    "letters": string.ascii_letters,
    "letters and digits": string.ascii_letters + string.digits,
    "digits": string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "base32": string.ascii_uppercase + "234567",
    "base64": string.ascii_letters + string.digits + "+/",
    "printable": string.printable,
    "punctuation": string.punctuation,
}


def _made(kind: str, chance: random.Random, length: int) -> str:
    """Random text of one kind, in words of random length where it has letters of one case."""
    if kind in SCRIPTS:
        return "".join(chr(chance.randrange(*SCRIPTS[kind])) for _ in range(length))
    text = "".join(chance.choice(ALPHABETS[kind]) for _ in range(length))
    if kind not in {"lower", "UPPER", "consonants"}:
        return text
    size = chance.randint(2, 40)
    return " ".join(text[at : at + size] for at in range(0, length, size))


@pytest.mark.parametrize("kind", [*SCRIPTS, *ALPHABETS])
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(200, 600))
def test_a_text_is_never_under_counted(kind: str, seed: int, length: int) -> None:
    """Random text of any script or alphabet, from 200 characters on: at or above the real count."""
    text = _made(kind, random.Random(seed), length)
    assert estimated(text) >= tokens().count(text)


@pytest.mark.parametrize("kind", [*SCRIPTS, *ALPHABETS])
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_a_short_text_is_at_most_four_short(kind: str, seed: int, length: int) -> None:
    """A few characters by themselves may cost more than any rule knows: four tokens at most."""
    text = _made(kind, random.Random(seed), length)
    assert estimated(text) + 4 >= tokens().count(text)


@pytest.mark.parametrize("name", ["key", "wrapped"])
def test_encoded_bytes_are_not_under_counted(name: str) -> None:
    """What base64 makes of random bytes, in one line or wrapped."""
    raw = random.Random(name).randbytes(600)
    text = (base64.b64encode(raw) if name == "key" else base64.encodebytes(raw)).decode()
    real = tokens().count(text)
    assert real <= estimated(text) <= 1.4 * real


@pytest.mark.parametrize(
    "text",
    [
        "Never push to the main branch before the smoke test ran, and say so in the report of the release.",
        "Die Geschwindigkeitsbegrenzung auf der Autobahn wurde gestern beschlossen, obwohl viele Verbände klagen.",
        "Lentokonesuihkuturbiinimoottori huollettiin eilen, koska hänellä oli aikaa ja halua tehdä se kunnolla.",
        "Никогда не отправляй изменения прямо в главную ветку, сначала запусти все тесты и прочти журнал.",
        "提交之前必须先运行全部测试，并且不要直接推送到主分支。我们明天继续讨论检查点的设计。",
        "コミットする前に必ずすべてのテストを実行してください。メインブランチに直接プッシュしないでください。",
        "커밋하기 전에 반드시 모든 테스트를 실행하세요. 메인 브랜치에 직접 푸시하지 마세요.",
        "getUserByIdOrThrow(httpServletRequest, XMLHttpRequestFactory) { qsort(ptr, nmemb, sizeof(*ptr), cmp); }",
    ],
)
def test_what_people_write_is_near(text: str) -> None:
    """Sentences and code: at or above the real count, at most 2.6 times it (Russian)."""
    real = tokens().count(text)
    assert real <= estimated(text) <= 2.6 * real
