"""The pick: order, caps, thinning, whole entries, and nothing that use could raise."""

from curator.salience.pick import Budget, pick, with_margin
from curator.salience.score import freshness, importance, score
from tests.hook.helpers import TODAY, item

WIDE = Budget(100_000, 1_000_000)


def test_every_factor_is_visible_and_the_score_is_their_mix() -> None:
    """0.35 importance + 0.55 relevance + 0.10 freshness, times scope and state."""
    got = score(item("a", "x", importance=0.8, relevance=0.4, verified=TODAY - 180), TODAY)
    assert (got.importance, got.relevance, got.freshness) == (0.8, 0.4, 0.5)
    assert round(got.total, 6) == round(0.35 * 0.8 + 0.55 * 0.4 + 0.10 * 0.5, 6)
    assert score(item("a", "x", importance=0.8, own=True), TODAY).scope == 0.9
    assert score(item("a", "x", importance=0.8, stale=True), TODAY).total == 0


def test_freshness_halves_and_a_clock_in_the_future_gains_nothing() -> None:
    """365 days for a correction, 180 for a lesson; a verification tomorrow counts as today."""
    assert freshness("correction", TODAY - 365, TODAY) == freshness("lesson", TODAY - 180, TODAY) == 0.5
    assert freshness("lesson", TODAY + 400, TODAY) == 1.0


def test_importance_grows_with_the_person_and_saturates_with_sightings() -> None:
    """Human origin, the reviewer's choice and distinct sightings count, each up to its weight."""
    plain, _ = importance("lesson", human=False, choice=None, sightings=0)
    human, parts = importance("lesson", human=True, choice=None, sightings=0)
    many = [importance("lesson", human=True, choice=1.0, sightings=n)[0] for n in (1, 3, 50, 5000)]
    assert plain < human < many[0] < many[1] < many[2] == many[3] <= 1
    assert dict(parts)["human"] == 0.3 and round(sum(value for _, value in parts), 4) == human


def test_pins_come_first_and_stay_under_their_cap() -> None:
    """Twenty pins take at most a quarter; the rest goes by score; a refused pin says why."""
    pins = [item(f"p-{n:02}", "pinned fact " * 5, pinned=True) for n in range(20)]
    free = [item(f"f-{n:02}", "free fact " * 5, importance=0.9) for n in range(20)]
    budget = Budget(sum(one.tokens for one in pins), 1_000_000)
    got = pick([*free, *pins], TODAY, budget)
    pinned = [one for one in got.taken if one.item.pinned]
    assert pinned and got.taken[: len(pinned)] == tuple(pinned)
    assert sum(one.item.tokens for one in pinned) <= budget.tokens / 4
    assert {out.reason for out in got.left if out.item.pinned} == {"pin cap"}


def test_near_equal_entries_are_thinned() -> None:
    """Where only two fit, the second is another fact and not a paraphrase of the first."""
    twins = [item("a", "same words", importance=0.9), item("b", "same words", importance=0.89, near=(("a", 0.95),))]
    twins[0] = twins[0]._replace(near=(("b", 0.95),))
    other = item("c", "other fact", importance=0.7)
    got = pick([*twins, other], TODAY, Budget(twins[0].tokens * 2, 1_000_000))
    assert [one.item.id for one in got.taken] == ["a", "c"]


def test_an_entry_larger_than_the_budget_keeps_no_other_out() -> None:
    """It is left out with its reason; smaller ones still enter."""
    huge = item("huge", "word " * 5_000, importance=1.0)
    small = item("small", "a fact", importance=0.1)
    got = pick([huge, small], TODAY, Budget(2_000, 9_000, 1.65))
    assert [one.item.id for one in got.taken] == ["small"]
    assert [(out.item.id, out.reason) for out in got.left] == [("huge", "larger than the budget")]


def test_ties_are_broken_by_id_whatever_the_order_of_arrival() -> None:
    """The same entries in any order give the same pick."""
    items = [item(f"n-{n:03}", "equal") for n in range(40)]
    wanted = [f"n-{n:03}" for n in range(40)]
    for arrival in (items, items[::-1], items[20:] + items[:20]):
        assert [one.item.id for one in pick(arrival, TODAY, WIDE).taken] == wanted


def test_case_33_what_was_injected_is_not_raised_and_a_new_lesson_enters_at_once() -> None:
    """Twenty picks leave every input as it was; the newest lesson is in the next pick."""
    items = [item(f"n-{n:02}", f"lesson {n}", verified=TODAY - 10 * n) for n in range(30)]
    budget = Budget(sum(one.tokens for one in items[:10]), 1_000_000)
    first = pick(items, TODAY, budget)
    assert all(pick(items, TODAY, budget) == first for _ in range(20))
    new = item("z-new", "lesson new")
    assert "z-new" in [one.item.id for one in pick([*items, new], TODAY, budget).taken]


def test_margin_rounds_up() -> None:
    """Three raw tokens at 1.65 are five of the client's."""
    assert with_margin(3, 1.65) == 5 and with_margin(0, 1.65) == 0
