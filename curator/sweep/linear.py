"""A small linear judge: named features to the probability of each label.

Owns the softmax, its training and its file form. Pure Python, because the core has no numerical library and the
models have about a hundred features. Knows nothing of what the features mean.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

Features = Mapping[str, float]


@dataclass(frozen=True)
class Linear:
    """Weights by feature, one for each label in `labels`."""

    labels: tuple[str, ...]
    weights: Mapping[str, tuple[float, ...]]

    def probabilities(self, features: Features) -> dict[str, float]:
        """Each label's probability; they sum to 1."""
        scores = [0.0] * len(self.labels)
        for name, value in features.items():
            for n, weight in enumerate(self.weights.get(name, ())):
                scores[n] += weight * value
        top = max(scores)
        exponents = [math.exp(score - top) for score in scores]
        total = sum(exponents)
        return {label: exponent / total for label, exponent in zip(self.labels, exponents, strict=True)}

    def because(self, features: Features, label: str, limit: int = 3) -> tuple[str, ...]:
        """The features that speak most for this label against the mean of the others, strongest first."""
        n = self.labels.index(label)
        gains = {
            name: (row[n] - sum(row) / len(row)) * value
            for name, value in features.items()
            if (row := self.weights.get(name))
        }
        return tuple(name for name in sorted(gains, key=lambda name: -gains[name])[:limit] if gains[name] > 0)


def fit(
    rows: Sequence[tuple[Features, str, float]], labels: Sequence[str], penalty: float = 0.01, steps: int = 250
) -> Linear:
    """Weights that minimise the weighted log loss plus `penalty` times half the squared weights (`bias` is free).

    Each row is features, label, weight. Full-batch Adam: the same rows give the same weights.
    """
    index = {label: n for n, label in enumerate(labels)}
    names = sorted({name for features, _, _ in rows for name in features})
    column = {name: n for n, name in enumerate(names)}
    width, total = len(labels), sum(weight for _, _, weight in rows)
    data = [
        ([(column[k] * width, v) for k, v in features.items()], index[label], weight / total)
        for features, label, weight in rows
    ]
    decay = [0.0 if name == "bias" else penalty for name in names for _ in labels]
    weights = _adam(data, width, decay, steps)
    table = {name: tuple(round(w, 4) for w in weights[n * width : (n + 1) * width]) for n, name in enumerate(names)}
    return Linear(tuple(labels), table)


def load(name: str) -> Linear:
    """The shipped model of that name."""
    text = resources.files("curator.sweep").joinpath("weights", f"{name}.json").read_text(encoding="utf-8")
    value = json.loads(text)
    return Linear(tuple(value["labels"]), {k: tuple(row) for k, row in value["weights"].items()})


def dump(model: Linear, trained_on: Mapping[str, int | str]) -> str:
    """The file form of a model: one line a feature, so that a change of weights can be read."""
    lines = (f"  {json.dumps(k, ensure_ascii=False)}: {json.dumps(list(row))}" for k, row in model.weights.items())
    head = f'{{\n"trained_on": {json.dumps(trained_on)},\n"labels": {json.dumps(list(model.labels))},\n"weights": {{\n'
    return head + ",\n".join(lines) + "\n}\n}\n"


_Data = list[tuple[list[tuple[int, float]], int, float]]


def _adam(data: _Data, width: int, decay: list[float], steps: int) -> list[float]:
    size = len(decay)
    weights, first, second = [0.0] * size, [0.0] * size, [0.0] * size
    for step in range(1, steps + 1):
        slope = _slope(data, width, weights, decay)
        rate = 0.05 * math.sqrt(1 - 0.999**step) / (1 - 0.9**step) * (1 - step / (steps + 1))
        for n, g in enumerate(slope):
            first[n] = 0.9 * first[n] + 0.1 * g
            second[n] = 0.999 * second[n] + 0.001 * g * g
            weights[n] -= rate * first[n] / (math.sqrt(second[n]) + 1e-9)
    return weights


def _slope(data: _Data, width: int, weights: list[float], decay: list[float]) -> list[float]:
    slope = [d * w for d, w in zip(decay, weights, strict=True)]
    labels = range(width)
    for row, wanted, share in data:
        scores = [sum(weights[at + n] * value for at, value in row) for n in labels]
        top = max(scores)
        exponents = [math.exp(score - top) for score in scores]
        total = sum(exponents)
        errors = [share * (exponents[n] / total - (n == wanted)) for n in labels]
        for at, value in row:
            for n in labels:
                slope[at + n] += errors[n] * value
    return slope
