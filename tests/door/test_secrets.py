"""A credential's value never passes the door; talk about credentials does."""

import json
from pathlib import Path

import pytest

from curator.door import admit, kept, redact

CASE = Path(__file__).parent.parent / "cases" / "36"
BREAK = "{~}"  # stands inside the invented credentials of the inputs, to keep scanners quiet


def test_case_36_no_value_passes_and_every_sentence_stays() -> None:
    """Eleven shapes are replaced by a marker that names the kind; the words around them stay."""
    values = [line.replace(BREAK, "") for line in (CASE / "values.txt").read_text().split("\n") if line]
    texts = [
        content if isinstance(content, str) else content[0]["text"]
        for line in (CASE / "t.jsonl").read_text().replace(BREAK, "").splitlines()
        for content in [json.loads(line)["message"]["content"]]
    ]
    holding = [text for text in texts if any(value in text for value in values)]
    assert len(holding) == 12
    for text in holding:
        safe = redact(text)
        assert not any(value in safe.text for value in values)
        assert len(safe.kinds) == 1 and f"[redacted: {safe.kinds[0]}]" in safe.text
        assert safe.text.endswith(("it lives in the vault", "for the bot"))


@pytest.mark.parametrize("line", [line for line in (CASE / "must_survive.txt").read_text().split("\n") if line])
def test_case_36_ordinary_lines_survive(line: str) -> None:
    """Talk about keys, code that reads one, commit and request ids, and a variable pass unchanged."""
    assert redact(line).text == line


@pytest.mark.parametrize(
    "line",
    [
        "the password is base64 encoded",
        "def login(password: str, token=None)",
        'api_key=os.environ["OPENAI_API_KEY"]',
        "TOKEN_LIMIT=20000 and max_tokens=4096",
        'secretName: "tls-cert-prod"',
        "login(password=password2)",
        "password must be at least 12 characters",
        "token = self.token_v2",
        "postgres://user:${PASS}@host/db",
        "http://localhost:3000 and mail a@b.com",
        "sk-estimator-doc-link-text-repr",
        'if token == expected_token: "type": "password"',
        "Authorization: Bearer <token>",
        "credentials: 'same-origin'",
        "the API key is read from .env.local",
        "auth_token: {{ token }}",
        "the token was 12345 tokens long",
        "密码是什么",
        "image@sha256:9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
    ],
)
def test_talk_about_credentials_is_left_alone(line: str) -> None:
    """No false hit on code, configuration names, variables or prose."""
    assert redact(line).text == line


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("password: ", "hunter22", ""),
        ("the password is ", "hunter22", " for now"),
        ("DB_PASSWORD=", "swordfish", ""),
        ('password = "', "correcthorse", '"'),
        ("mysql --password=", "S3cr3tPw", " -h db"),
        ("curl -u admin:", "Passw0rd!", " https://x.test"),
        ("tool --token ", "abcdef123456", ""),
        ('{"api_key": "', "a1b2c3d4e5f6g7h8", '"}'),
        ("密码是 ", "S3cretFake!", ""),
        ("密码：", "abc12345", "，别外传"),
        ("AWS_SECRET_ACCESS_KEY=", "wJalrFAKEMI/K7MDENG/bPxRfiCYFAKE", ""),
        ("redis://:", "p4ssw0rd", "@localhost:6379"),
        ("mongodb+srv://u:", "p%40ss", "@cluster0.test"),
        ("Authorization: Basic ", "dXNlcjpwYXNz", ""),
        ("X-API-Key: ", "0123456789abcdef", ""),
    ],
)
def test_a_named_value_is_taken_out_and_its_surroundings_stay(before: str, secret: str, after: str) -> None:
    """The value goes, its name and what follows stay."""
    safe = redact(before + secret + after).text
    assert secret not in safe
    assert safe.startswith(before) and safe.endswith(after)


def test_invisible_characters_do_not_hide_a_credential() -> None:
    """A token split by a zero-width space is found by both ways in."""
    split = "use gl\u200bpat-FAKEFAKEFAKE01234567 here"
    assert "FAKEFAKE" not in admit(split, 1_000).text
    assert "FAKEFAKE" not in kept(split).text


def test_a_cut_leaves_no_half_credential() -> None:
    """The size cap falls between words, so no part of a token stands where its shape is gone."""
    text = "word " * 10 + "gl" + "pat-" + "FAKEFAKEFAKE01234567"
    cut = admit(text, len(text) - 12)
    assert cut.cut and "FAKE" not in cut.text and "pat-" not in cut.text


def test_redacting_twice_changes_nothing() -> None:
    """What was redacted is stable."""
    once = redact("password: hunter22 and token: abc123def456").text
    assert redact(once).text == once
