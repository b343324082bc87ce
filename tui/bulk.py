"""What a sheet says about the proposals that it decides on. Pure."""

from curator.desk.views import Row
from curator.vocab import OP_SIGNS
from tui.sheets import head
from tui.text import Line, number, pad, piece, score, signed


def first_line(row: Row) -> Line:
    """Which proposal a sheet is about."""
    return head(OP_SIGNS[row.op], row.proposal_id, row.op.value, row.title, f"op-{row.op.value}")


def bulk_lines(rows: tuple[Row, ...], left_out: dict[str, int], effect: int, tokens: int, room: int) -> list[Line]:
    """What a bulk would do: every row (as many as there is room for), the tokens, what is left out."""
    lines: list[Line] = [(), ()]
    shown_rows = rows if len(rows) <= room else rows[: max(1, room - 1)]
    for row in shown_rows:
        title = pad(piece(row.title)[0], 44)
        lines.append(((f"{OP_SIGNS[row.op]} ", f"op-{row.op.value}"), (f"{row.kind.value:11}", "dim"), (title, ""),
                      (f" {score(row.confidence)}  {signed(row.token_effect)}", "dim")))  # fmt: skip
    if len(shown_rows) < len(rows):
        lines.append(((f"… and {len(rows) - len(shown_rows)} more", "dim"),))
    left = ", ".join(f"{count} {name}" for name, count in left_out.items()) or "none"
    lines += [
        (),
        (("next session ", "dim"), (f"{number(tokens)} → about {number(max(0, tokens + effect))} tok", "")),
        ((f"left out: {left}", "warn" if left_out else "dim"), ("   one undo takes all back", "dim")),
    ]
    return lines
