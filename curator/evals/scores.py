"""Counts and shares of right answers, the same for every evaluation. Pure."""

from collections.abc import Sequence

Confusion = dict[str, dict[str, int]]


def confusion(truth: Sequence[str], given: Sequence[str], labels: Sequence[str]) -> Confusion:
    """How often each true label was given each label; every label has a row, given ones that occur a column."""
    table: Confusion = {label: {} for label in labels}
    for wanted, got in zip(truth, given, strict=True):
        row = table.setdefault(wanted, {})
        row[got] = row.get(got, 0) + 1
    return table


def accuracy(truth: Sequence[str], given: Sequence[str]) -> float:
    """Share of right answers, 0 where there are none."""
    right = sum(wanted == got for wanted, got in zip(truth, given, strict=True))
    return round(right / len(truth), 4) if truth else 0.0


def macro_f1(truth: Sequence[str], given: Sequence[str]) -> float:
    """Mean F1 of the labels that occur in the truth."""
    labels = sorted(set(truth))
    return round(sum(_f1(truth, given, label) for label in labels) / len(labels), 4) if labels else 0.0


def _f1(truth: Sequence[str], given: Sequence[str], label: str) -> float:
    hit = sum(wanted == got == label for wanted, got in zip(truth, given, strict=True))
    all_ = truth.count(label) + given.count(label)
    return 2 * hit / all_ if all_ else 0.0
