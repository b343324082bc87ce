"""A provider's model over HTTP: `anthropic:NAME`, `openai:NAME` (and whatever speaks its form) or `ollama:NAME`.

Owns the three wire forms and how a failure is told. The key comes from the provider's own variable and goes to the
provider's address only: no redirect is followed, and no key is sent in the clear to another machine. It is in no
message. The standard library speaks HTTP well enough for one question at a time.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from curator.errors import BadUsage, CuratorError

SECONDS = 120
"""Longest time one answer may take."""

WAITS = (2.0, 8.0)
"""Seconds before a question is asked again that the provider was too busy to answer."""

LARGEST = 1_000_000
"""Bytes of an answer that are read."""

_MOST_TOKENS = 2_000
_BUSY = (429, 500, 502, 503, 529)


@dataclass(frozen=True)
class _Form:
    """How one provider is spoken to: where, with which variables, and what of its answer is the text."""

    base: str
    base_variable: str
    key_variable: str
    path: str
    headers: Callable[[str], dict[str, str]]
    question: Callable[[str, str], dict[str, Any]]
    text: Callable[[Any], str]


def _user(prompt: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt}]


FORMS: Mapping[str, _Form] = {
    "anthropic": _Form(
        "https://api.anthropic.com",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_API_KEY",
        "/v1/messages",
        lambda key: {"x-api-key": key, "anthropic-version": "2023-06-01"},
        lambda name, prompt: {"model": name, "max_tokens": _MOST_TOKENS, "messages": _user(prompt)},
        lambda answer: "".join(str(part.get("text", "")) for part in answer["content"]),
    ),
    "openai": _Form(
        "https://api.openai.com/v1",
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        "/chat/completions",
        lambda key: {"Authorization": f"Bearer {key}"},
        lambda name, prompt: {
            "model": name,
            "messages": _user(prompt),
            "response_format": {"type": "json_object"},
        },
        lambda answer: str(answer["choices"][0]["message"]["content"]),
    ),
    "ollama": _Form(
        "http://127.0.0.1:11434",
        "OLLAMA_HOST",
        "",
        "/api/chat",
        lambda _: {},
        lambda name, prompt: {"model": name, "messages": _user(prompt), "stream": False, "format": "json"},
        lambda answer: str(answer["message"]["content"]),
    ),
}


class Provider:
    """One model of one provider. Raises `BadUsage` where the key is missing or the address is none."""

    def __init__(self, provider: str, name: str, env: Mapping[str, str]) -> None:
        self.name = f"{provider}:{name}"
        self._form, self._model = FORMS[provider], name
        base = (env.get(self._form.base_variable) or self._form.base).rstrip("/")
        self._url = (base if "://" in base else f"http://{base}") + self._form.path
        self._key = env.get(self._form.key_variable, "") if self._form.key_variable else ""
        if self._form.key_variable and not self._key:
            raise BadUsage(f"{self.name} needs a key in {self._form.key_variable}")
        where = urlsplit(self._url)
        local = where.hostname in ("localhost", "127.0.0.1", "::1")
        if where.scheme not in ("http", "https") or not where.hostname:
            raise BadUsage(f"{self._form.base_variable} is no address: {base}")
        if self._key and where.scheme == "http" and not local:
            raise BadUsage(f"{self._form.base_variable} is not https: the key would be sent in the clear")

    def __call__(self, prompt: str) -> str:
        """The answer's text; raises `CuratorError` with the provider's reason when none came."""
        body = json.dumps(self._form.question(self._model, prompt)).encode("utf-8", "replace")
        for wait in (*WAITS, None):
            try:
                return self._asked(body)
            except urllib.error.HTTPError as error:
                if wait is None or error.code not in _BUSY:
                    raise CuratorError(f"{self.name} answered {error.code}: {_reason(error)}") from None
                time.sleep(wait)
            except (OSError, http.client.HTTPException) as error:
                raise CuratorError(f"{self.name} gave no answer: {getattr(error, 'reason', error)}") from None
        raise AssertionError("the last round returns or raises")

    def _asked(self, body: bytes) -> str:
        headers = {"Content-Type": "application/json", **self._form.headers(self._key)}
        request = urllib.request.Request(self._url, body, headers, method="POST")  # noqa: S310 the scheme was checked
        opener = urllib.request.build_opener(_Stay)
        with opener.open(request, timeout=SECONDS) as answer:
            data = answer.read(LARGEST)
        try:
            return self._form.text(json.loads(data))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return ""  # no answer to our question; the caller counts it as bad


class _Stay(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer like any other: the key goes nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow none."""


def _reason(error: urllib.error.HTTPError) -> str:
    """The provider's own words, short and on one line."""
    try:
        value = json.loads(error.read(20_000))
        told = value["error"]["message"] if isinstance(value["error"], dict) else value["error"]
    except (OSError, ValueError, KeyError, TypeError):
        told = error.reason
    return " ".join(str(told).split())[:200]
