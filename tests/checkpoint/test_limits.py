"""What a window allows (statements 11, 12, 13, 15, 16)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.checkpoint.limits import MEMO, SECTIONS, Window
from curator.checkpoint.record import weight
from curator.checkpoint.view import View, pressure
from curator.edge.tokens import tokens
from tests.checkpoint.talk import conversation


@pytest.mark.parametrize(
    ("size", "output", "margin", "threshold", "keep"),
    [
        (8_000, 2_000, 1_000, 5_000, 1_250),
        (32_000, 8_000, 4_000, 20_000, 5_000),
        (64_000, 16_000, 8_000, 40_000, 10_000),
        (128_000, 32_000, 8_000, 88_000, 20_000),
        (200_000, 32_000, 8_000, 160_000, 20_000),
        (1_000_000, 64_000, 30_000, 900_000, 20_000),
    ],
)
def test_s11_the_threshold_table_is_reproduced(size: int, output: int, margin: int, threshold: int, keep: int) -> None:
    """Each window of the table has its margin, threshold and kept tail."""
    window = Window(size, max_output=output)
    assert (window.margin, window.threshold, window.keep) == (margin, threshold, keep)


@pytest.mark.parametrize(
    ("steps", "threshold"),
    [((), 900_000), ((50_000,), 900_000), ((200_000,), 180_000), ((272_000,), 244_800), ((128_000, 200_000), 115_200)],
)
def test_s11_price_steps_lower_the_threshold(steps: tuple[int, ...], threshold: int) -> None:
    """The smallest step from 100,000 up caps the threshold at nine tenths of it; smaller ones do not count."""
    assert Window(1_000_000, max_output=64_000, price_steps=steps).threshold == threshold


def test_s11_what_is_unknown_has_its_stated_value() -> None:
    """Window 128,000, output 8,192, input limit = window; a lower input limit lowers the threshold."""
    assert (Window().tokens, Window().output, Window().threshold) == (128_000, 8_192, 111_808)
    assert Window(200_000, input_limit=100_000, max_output=8_192).threshold == 83_808
    assert Window(1_000_000, max_output=128_000).checkpoint_output == 64_000


@given(st.integers(16, 3_000_000), st.integers(1, 300_000))
def test_s12_the_threshold_is_positive_for_every_window(size: int, output: int) -> None:
    """From 16 tokens up, whatever output is asked for, there is room to work in."""
    assert Window(size, max_output=output).threshold > 0


def test_s13_chinese_reaches_the_threshold_by_real_size() -> None:
    """A Chinese message weighs what the tokenizer says, about four times what characters / 4 would."""
    text = "部署之前先跑冒烟测试然后再打标签，" * 50
    rows = conversation(f"u:{text}")
    counter = tokens(margin=1.0)
    assert pressure(View((), None, rows), counter) == counter.count(text) > 3.5 * len(text) / 4
    assert weight(rows[0], counter.count) == counter.count(text)


@pytest.mark.parametrize(
    ("size", "sections", "memo", "mind"),
    [
        (1_000_000, (1000, 2000, 1500, 1500), 3_000, 12_000),
        (192_000, (1000, 2000, 1500, 1500), 3_000, 12_000),
        (128_000, (666, 1333, 1000, 1000), 2_000, 7_998),
        (64_000, (333, 666, 500, 500), 1_000, 3_998),
        (32_000, (166, 333, 250, 250), 500, 1_998),
        (8_000, (41, 83, 62, 62), 125, 496),
    ],
)
def test_s15_the_scaled_limits_are_reproduced(size: int, sections: tuple[int, ...], memo: int, mind: int) -> None:
    """Mind sections, memo and the largest mind shrink with the window below 192,000."""
    window = Window(size)
    assert (window.sections, window.memo, window.mind) == (sections, memo, mind)


@given(st.integers(1, 3_000_000), st.sampled_from([*SECTIONS, MEMO]))
def test_s15_a_scaled_limit_is_at_least_one_and_never_more_than_the_full(size: int, limit: int) -> None:
    """However small the window, every limit leaves something."""
    assert 1 <= Window(size).scaled(limit) <= limit


@pytest.mark.parametrize(
    ("size", "least"),
    [
        (8_000, 32),
        (32_000, 32),
        (64_000, 32),
        (128_000, 64),
        (192_000, 96),
        (200_000, 100),
        (256_000, 128),
        (10**6, 128),
    ],
)
def test_s16_the_least_now_is_reproduced(size: int, least: int) -> None:
    """The shortest now accepted, by window."""
    assert Window(size).least_now == least
