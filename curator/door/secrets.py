"""Credentials in text: found by shape or by the name they are given, replaced by a marker that names the kind.

Owns the shapes. Never logs or returns a value. Every pattern is linear in the length of the text, and ordinary talk
about passwords, variables that hold one, hashes and commit ids must pass unchanged.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Redacted:
    """The text without credential values, and the kinds that were found, in order of first sight."""

    text: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Shape:
    """A credential told by its own form; `hints` are literals without which the pattern cannot match."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(kind: str, hints: str, pattern: str) -> _Shape:
    return _Shape(kind, tuple(hints.split()), re.compile(rf"(?<![A-Za-z0-9])(?:{pattern})"))


_SHAPES = (
    _shape("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"),
    _shape("GitLab token", "gl", r"gl(?:pat|ptt|rt|dt|ft|soat|agent|cbt|imt|oas)-[\w-]{16,}"),
    _shape("AWS key", "AKIA ASIA ABIA ACCA", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _shape("API key", "sk-", r"sk-(?:(?:proj|ant|svcacct|admin|or|lf)-[\w-]{16,}|[A-Za-z0-9]{32,})"),
    _shape("API key", "gsk_ r8_ xai- pplx- nvapi- fw_", r"(?:gsk_|r8_|xai-|pplx-|nvapi-|fw_)[A-Za-z0-9_-]{24,}"),
    _shape("Slack token", "xox xapp-", r"xox[a-z]-[\w-]{10,}|xapp-[\w-]{20,}"),
    _shape("webhook", "hooks.slack.com/services", r"hooks\.slack\.com/services/[\w/-]{20,}"),
    _shape("webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/[\w/-]{20,}"),
    _shape("Google key", "AIza ya29. GOCSPX-", r"AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}"),
    _shape("JWT", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?"),
    _shape("Stripe key", "_live_ _test_ whsec_", r"[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{20,}"),
    _shape("package registry token", "npm_ pypi-", r"npm_[A-Za-z0-9]{30,}|pypi-A[\w-]{40,}"),
    _shape("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    _shape("SendGrid key", "SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    _shape("Twilio key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _shape("Mailgun key", "key-", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    _shape("DigitalOcean token", "_v1_", r"do[opr]_v1_[a-f0-9]{40,}"),
    _shape("Shopify token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _shape("Databricks token", "dapi", r"dapi[a-f0-9]{32}"),
    _shape("Vault token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{20,}"),
    _shape("Linear key", "lin_api_", r"lin_api_\w{30,}"),
    _shape("Notion token", "ntn_ secret_", r"(?:ntn|secret)_[A-Za-z0-9]{40,}"),
    _shape("Atlassian token", "ATATT ATCTT", r"AT[AC]TT3[\w=-]{20,}"),
    _shape("Docker token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{20,}"),
    _shape("Grafana token", "glsa_ glc_", r"gls?[ac]_[\w=+/-]{30,}"),
    _shape("New Relic key", "NRAK-", r"NRAK-[A-Z0-9]{20,}"),
    _shape("Telegram token", ":AA", r"\d{8,10}:AA[\w-]{32,}"),
    _shape("Azure key", "AccountKey= sig=", r"(?:AccountKey=[A-Za-z0-9+/=]{40,}|sig=[A-Za-z0-9%+/=]{40,})"),
    _shape("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
)

_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?"
    r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
_URL = re.compile(r"(?<=://)([^\s/:@\"'`]{0,200}):([^\s/\"'`]{1,200})@(?=[\w\[])")
_HEADER = re.compile(
    r"(?i)(authorization[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token|apikey)\s+)?|\bbearer\s+)([^\s\"'`,;]{8,})"
)
_CURL = re.compile(r"(?<=\s)((?:-u|--user)[ =]?['\"]?[^\s:'\"]{1,100}:)([^\s'\"]{4,})")
_WORD = (
    r"(?:api[_ -]?key|(?:secret|access|private|signing|encryption|service|master|account|auth)[_ -]?key"
    r"|secret_key_base|pass[_-]?word|passwd|pass[_-]?phrase|pwd|secret|(?:auth|access|refresh|bearer|bot)?[_ -]?token"
    r"|credentials?|密码|口令|密钥|令牌)"
)
_ASSIGNED = re.compile(
    rf"(?i)({_WORD})(\d{{0,2}}[\"'`\])]{{0,2}}\s*(?:=>|:=|==?|[:：])\s*)([\"'`]?)([^\s\"'`，。]{{4,}})"
)
_TOLD = re.compile(rf"(?i)({_WORD})(\s+(?:is|was|are)(?:\s+now)?\s+|\s*(?:是|为)\s*)([\"'`]?)([^\s\"'`，。]{{4,}})")
_FLAG = re.compile(rf"(?i)(--[\w-]{{0,30}}{_WORD})(=|\s+)([\"']?)([^\s\"'`]{{4,}})")
_HINTS = (
    "key",
    "pass",
    "pwd",
    "secret",
    "token",
    "credential",
    "密",
    "口令",
    "令牌",
    "://",
    "authorization",
    "bearer",
    "-u",
)
_NAMES = {"password": "password", "passwd": "password", "pwd": "password", "密码": "password", "口令": "password"}

_REFERENCE = re.compile(
    r"[$%<{(\[*&|/~.\\]|\.\.\.|(?:https?|file|env|vault|op|arn|ref|secrets?)[:.]"
    r"|(?:your|my|the|some|example|dummy|fake_|test_)[_-]?(?:api|secret|token|password|key)"
    r"|x{4,}|\*{3,}|redacted|changeme|placeholder|none\b|null\b|true\b|false\b",
    re.I,
)
_NAME = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+)*\d?")
_NAMED_AFTER = re.compile(r"(?i)pass|secret|token|key|string|type|user|name|field|value")
_CODE = re.compile(r"[A-Za-z_][\w-]*(?:(?:\.|->|::)[A-Za-z_][\w-]*)+[;,)]*|.*[(\[{].*|[A-Za-z_]\w*[;,)]+")
_TECHNICAL = re.compile(
    r"(?i)(?:base|sha|md|utf|argon|pbkdf|oauth|http|bcrypt|aes|rsa|hs|rs|es|ed|x|v|i18n|k8s|p|s|ec|int|uint|float)"
    r"[-_]?\d{1,5}(?:[-_][a-z]+|[a-z]+)*"
)


def redact(text: str) -> Redacted:
    """The text with each credential's value replaced by `[redacted: KIND]`; everything around it stays."""
    kinds: dict[str, None] = {}

    def hide(kind: str) -> str:
        kinds[kind] = None
        return f"[redacted: {kind}]"

    if "PRIVATE KEY" in text:
        text = _PEM.sub(lambda _: hide("private key"), text)
    for shape in _SHAPES:
        if any(hint in text for hint in shape.hints):
            text = shape.pattern.sub(lambda _, kind=shape.kind: hide(kind), text)  # type: ignore[misc]
    if any(hint in text.casefold() for hint in _HINTS):
        text = "\n".join(_line(line, hide) for line in text.split("\n"))
    return Redacted(text, tuple(kinds))


def _line(line: str, hide: Callable[[str], str]) -> str:
    """A line without the values that a name, a header or an address gives away."""
    folded = line.casefold()
    if not any(hint in folded for hint in _HINTS):
        return line
    line = _URL.sub(lambda m: _kept(m, hide, m[1] + ":", m[2], "@"), line)
    line = _HEADER.sub(lambda m: _header(m, hide), line)
    line = _CURL.sub(lambda m: _kept(m, hide, m[1], m[2], ""), line)
    for pattern in (_ASSIGNED, _FLAG):
        line = pattern.sub(lambda m: _named(m, hide, in_prose=False), line)
    return _TOLD.sub(lambda m: _named(m, hide, in_prose=True), line)


def _kept(match: re.Match[str], hide: Callable[[str], str], before: str, value: str, after: str) -> str:
    return match[0] if _REFERENCE.match(value) or "[redacted:" in value else before + hide("password") + after


def _header(match: re.Match[str], hide: Callable[[str], str]) -> str:
    value = match[2]
    loose = match[1].lower().startswith("bearer")
    if _REFERENCE.match(value) or (loose and not (len(value) >= 16 and _mixed(value))) or not _mixed(value + "0"):
        return match[0]
    return match[1] + hide("authorization")


def _named(match: re.Match[str], hide: Callable[[str], str], *, in_prose: bool) -> str:
    name, link, quote, value = match[1], match[2], match[3], match[4]
    bare = value.rstrip(",;.)]}?")
    if not _looks_secret(bare, name, bool(quote), in_prose):
        return match[0]
    found = name.lower().replace(" ", "_")
    kind = next((kind for word, kind in _NAMES.items() if word in found), "")
    kind = kind or ("token" if "token" in found or "令牌" in found else "API key" if "key" in found else "secret")
    return name + link + quote + hide(kind) + value[len(bare) :]


def _looks_secret(value: str, name: str, quoted: bool, in_prose: bool) -> bool:
    """Is a value that stands behind a telling name a credential, or only talk about one?"""
    if len(value) < 6 or not value.isascii() or _REFERENCE.match(value) or _TECHNICAL.fullmatch(value):
        return False
    if not quoted and not in_prose and _CODE.fullmatch(value):
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    symbols = any(char in "!@#$%^&*+=~" for char in value)
    if _NAME.fullmatch(value) and not value.isupper():
        if _NAMED_AFTER.search(value):
            return False
        password = "pass" in name.lower() or "pwd" in name.lower() or not name.isascii()
        if in_prose or (password and digits):
            return bool(password and digits)
        return (name.isupper() or (password and quoted)) and len(value) >= 8
    if in_prose and re.search(r"[-_/.]", value):
        return symbols and digits + letters >= 6
    return bool(digits and letters) or symbols or digits >= 8


def _mixed(value: str) -> bool:
    return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
