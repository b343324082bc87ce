"""A provider's model over real HTTP on loopback: three wire forms, every failure told in one line, the key kept."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from curator.__main__ import main
from curator.cycle.sweeping import run
from curator.edge import provider
from curator.edge.ask import asker
from curator.errors import BadUsage, CuratorError
from curator.store.engine import Store
from tests.helpers import load_active
from tests.sweep.helpers import noted, proposals

OLD, NEW = "The staging API listens on port 8443.", "The staging API listens on port 8444."
KEY = "k-not-a-real-one"
SAID = json.dumps({"relation": "replaces", "reason": "another port"})


class Stub:
    """A provider on loopback: answers in order with (status, body), the last one for ever; keeps what it was asked."""

    def __init__(self, *answers: tuple[int, Any]) -> None:
        stub, self.asked = self, list[tuple[str, dict[str, str], Any]]()
        self.answers = list(answers)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                status, told = stub.answers.pop(0) if len(stub.answers) > 1 else stub.answers[0]
                data = told if isinstance(told, bytes) else json.dumps(told).encode()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", stub.url + "/elsewhere")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()


@pytest.fixture
def stub() -> Iterator[Callable[..., Stub]]:
    """Starts stubs; stops them afterwards."""
    started: list[Stub] = []

    def start(*answers: tuple[int, Any]) -> Stub:
        started.append(Stub(*answers))
        return started[-1]

    yield start
    for each in started:
        each.server.shutdown()
        each.server.server_close()


def _anthropic(text: str) -> Any:
    return {"content": [{"type": "text", "text": text}], "usage": {"input_tokens": 9, "output_tokens": 5}}


FORMS = [
    ("anthropic", "ANTHROPIC", "/v1/messages", _anthropic(SAID), "x-api-key"),
    ("openai", "OPENAI", "/chat/completions", {"choices": [{"message": {"content": SAID}}]}, "authorization"),
    ("ollama", "OLLAMA", "/api/chat", {"message": {"content": SAID}}, ""),
]


def _env(url: str) -> dict[str, str]:
    keys = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY}
    return {**keys, "ANTHROPIC_BASE_URL": url, "OPENAI_BASE_URL": url, "OLLAMA_HOST": url.removeprefix("http://")}


@pytest.mark.parametrize(("name", "_prefix", "path", "answer", "header"), FORMS)
def test_each_provider_is_asked_in_its_own_form(
    stub: Callable[..., Stub], name: str, _prefix: str, path: str, answer: Any, header: str
) -> None:
    """Path, model, prompt and key stand where the provider wants them, and its text comes back."""
    there = stub((200, answer))
    assert asker(f"{name}:some-model", env=_env(there.url))("How?") == SAID
    ((asked, headers, body),) = there.asked
    assert asked == path and body["model"] == "some-model" and body["messages"][0]["content"] == "How?"
    assert not header or KEY in headers[header]


def test_a_sweep_with_a_provider_judges_records_and_tells_the_cost(
    store: Store, stub: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the command line: the model's reason stands in the proposal, the cost on stderr, the answer in the file."""
    there = stub((200, _anthropic(f"Here you are: {SAID}")))
    for key, value in _env(there.url).items():
        monkeypatch.setenv(key, value)
    monkeypatch.chdir(store.place.root)
    load_active(store, [{"id": "m-001", "kind": "lesson", "body": OLD}])
    noted(store, f"lesson: {NEW}")
    assert main(["sweep", "--model", "anthropic:some-model"]) == 0
    told = capsys.readouterr()
    assert "model: 1 questions" in told.err and "0 answers of no use" in told.err and KEY not in told.out + told.err
    (made,) = proposals(store)
    assert "another port (anthropic:some-model)" in made.reason and made.relation == "replaces"
    answers = (store.place.folder / "answers.jsonl").read_text(encoding="utf-8")
    assert "another port" in answers and KEY not in answers
    assert main(["sweep", "--model", "anthropic:some-model"]) == 0 and len(there.asked) == 1


@pytest.mark.parametrize(
    ("status", "answer", "said"),
    [
        (401, {"error": {"message": "invalid\nkey"}}, "answered 401: invalid key"),
        (404, {"error": "no such model"}, "answered 404: no such model"),
        (302, b"", "answered 302"),
        (500, b"<html>", "answered 500"),
    ],
)
def test_a_failing_provider_is_told_in_one_line_and_the_rules_go_on(
    store: Store,
    stub: Callable[..., Stub],
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    answer: Any,
    said: str,
) -> None:
    """Errors and redirects end the questions; the proposal is the rules', and the key went nowhere else."""
    monkeypatch.setattr(provider, "WAITS", (0.0, 0.0))
    there = stub((status, answer))
    for key, value in _env(there.url).items():
        monkeypatch.setenv(key, value)
    load_active(store, [{"id": "m-001", "kind": "lesson", "body": OLD}])
    noted(store, f"lesson: {NEW}")
    report = run(store, model="openai:m")
    assert said in report.settings["spent"]["trouble"] and KEY not in str(report)
    assert [p["relation"] for p in report.proposals] == ["replaces"]
    assert {path for path, _, _ in there.asked} == {"/chat/completions"}
    assert len(there.asked) == (3 if status == 500 else 1)


@pytest.mark.parametrize(
    "answer",
    [b"not json", {"content": None}, {"content": [{"text": '{"relation": "rest'}]}, {}, [], _anthropic("")],
)
def test_an_answer_of_no_use_never_becomes_a_proposal(
    store: Store, stub: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    """Nonsense, another shape and a truncated answer are counted; the verdict is the rules'."""
    there = stub((200, answer))
    for key, value in _env(there.url).items():
        monkeypatch.setenv(key, value)
    load_active(store, [{"id": "m-001", "kind": "lesson", "body": OLD}])
    noted(store, f"lesson: {NEW}")
    report = run(store, model="anthropic:m")
    assert report.settings["spent"]["bad"] == 1 and report.proposals[0]["relation"] == "replaces"
    assert "anthropic:m" not in report.proposals[0]["reason"]


def test_a_busy_provider_is_asked_again(stub: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two busy answers, then a good one."""
    monkeypatch.setattr(provider, "WAITS", (0.0, 0.0))
    there = stub((429, {}), (503, {}), (200, _anthropic("yes")))
    assert asker("anthropic:m", env=_env(there.url))("?") == "yes" and len(there.asked) == 3


def test_what_cannot_be_asked_is_said_before_anything_is_done(stub: Callable[..., Stub]) -> None:
    """No key, a key in the clear, another form, a port where nobody answers."""
    with pytest.raises(BadUsage, match="needs a key in ANTHROPIC_API_KEY"):
        asker("anthropic:m", env={})
    with pytest.raises(BadUsage, match="in the clear"):
        asker("openai:m", env={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://example.org/v1"})
    for form in ("nowhere:m", "openai:", "gpt", "command: "):
        with pytest.raises(BadUsage, match="command:PROGRAM, anthropic:NAME"):
            asker(form, env={})
    there = stub((200, {}))
    there.server.shutdown()
    there.server.server_close()
    with pytest.raises(CuratorError, match="gave no answer"):
        asker("ollama:m", env={"OLLAMA_HOST": there.url})("?")
