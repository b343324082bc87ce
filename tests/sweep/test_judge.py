"""The shipped judges can be made again, are small, and hold no text."""

from importlib import resources

from curator.sweep.linear import dump, fit
from curator.sweep.slots import Slot, tokens


def test_training_is_repeatable_and_separates() -> None:
    """The same rows give the same weights, and they tell the rows apart."""
    rows = [({"bias": 1.0, "a": 1.0}, "x", 1.0), ({"bias": 1.0, "b": 1.0}, "y", 1.0)] * 3
    judge = fit(rows, ["x", "y"])
    assert dump(judge, {"MIT": 3}) == dump(fit(rows, ["x", "y"]), {"MIT": 3})
    assert judge.probabilities({"bias": 1.0, "a": 1.0})["x"] > 0.8
    assert judge.because({"bias": 1.0, "b": 1.0}, "y") == ("b",)


def test_the_shipped_weights_are_small() -> None:
    """All weights together take less than 60 kB."""
    folder = resources.files("curator.sweep").joinpath("weights")
    assert sum(len(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".json")) < 60_000


def test_every_kind_of_specific_is_found() -> None:
    """Numbers, dates, paths, flags, names, negations, quantifiers and environments, in Chinese too."""
    text = (
        "On 2031-03-02 Anna must not run `sync_all --force` v2.1.3 in src/app.py on production for all 40 users; "
        "提交前不要改三个生产环境配置"
    )
    found = {token.slot for token in tokens(text)}
    assert found == set(Slot)
    assert [t.norm for t in tokens("不要改三个") if t.specific] == ["不要", "3"]


def test_words_in_code_are_names_whatever_they_say() -> None:
    """A tool called `just` is no quantifier and `production` in code is a name, so either may stand for another."""
    assert [t.slot for t in tokens("run `just` on `production`")][1::2] == [Slot.IDENTIFIER, Slot.IDENTIFIER]
