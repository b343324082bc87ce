"""Entries against the contract: current written rules stand above memory, so what says otherwise should go.

Owns reading the rules of `CONTRACT.md` line by line and finding entries that contradict one. The file is a person's;
nothing here writes it.
"""

import re
from pathlib import Path

from curator.brief.layers import CONTRACT, sections
from curator.sweep.compare import content
from curator.sweep.nominate import Known, Nominator
from curator.sweep.notes import NEAR, SURE, Judge
from curator.sweep.planned import Planned, retired
from curator.sweep.pool import likeness
from curator.sweep.relate import canonical
from curator.sweep.slots import tokens
from curator.vocab import Relation

_READ = 65_536
_RULES = 200
_LINE = re.compile(r"^\s*[-*]\s+(\S.*)$")
_IS = re.compile(r"\s*(?:is|are|must be|should be|[:：=]|是|为)\s*", re.IGNORECASE)


def rules(folder: Path) -> list[str]:
    """The contract's rules, one a line; none where there is no contract or it cannot be read."""
    try:
        with (folder / CONTRACT).open("rb") as file:
            text = file.read(_READ).decode("utf-8-sig", "replace")
    except OSError:
        return []
    lines = [line for name, body in sections(text).items() if name != "INTERFACES" for line in body.split("\n")]
    return [match[1].strip() for line in lines if (match := _LINE.match(line))][:_RULES]


def against(folder: Path, nominator: Nominator, judge: Judge) -> list[Planned]:
    """Entries that say otherwise than a rule: each to be retired, with the rule beside it."""
    found: dict[str, Planned] = {}
    for rule in rules(folder):
        for known, near in nominator.near(rule):
            if known.entry_id not in found and (said := _contradicts(known, near, rule, judge)):
                told = {"speaker": "contract", "file": f".curator/{CONTRACT}", "string": rule, "origin": "file"}
                planned = retired(known, f"the contract says otherwise: {said}", 0.6)
                found[known.entry_id] = planned.with_(evidence=(told, *planned.evidence))
    return list(found.values())


def _contradicts(known: Known, near: float, rule: str, judge: Judge) -> str:
    """What the rule says instead, in words; empty where both may stand."""
    if near >= NEAR[Relation.REPLACES]:
        verdict = judge(known.text, rule)
        if verdict.relation is Relation.REPLACES and verdict.confidence >= SURE:
            return f"{rule} ({verdict.reason})"
    return rule if _another_value(known.text, rule) else ""


def _another_value(text: str, rule: str) -> bool:
    """Does the text say of the rule's key something that shares little with the rule's value?"""
    key, _, value = rule.partition(":")
    start, said = canonical(key), canonical(text)
    if not value.strip() or len(start) < 4 or not said.startswith(start):
        return False
    rest = said[len(start) :]
    match = _IS.match(rest)
    if not match or not rest[match.end() :].strip():
        return False
    one, two = content(tokens(rest[match.end() :])), content(tokens(value))
    return bool(one and two) and likeness(one, two) < 0.34
