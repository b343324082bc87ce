"""What a sheet about proposals says of them: which one it is, or what deciding on several would do. Pure."""

from curator.desk.views import Row, Sheet
from curator.vocab import OP_SIGNS
from tui.text import Line, number, pad, piece, plural, score, signed


def first_line(row: Row) -> Line:
    """Which proposal a sheet is about."""
    sign = (f"{OP_SIGNS[row.op]} ", f"op-{row.op.value}")
    return (sign, (row.op.value, "bold"), (f"  {row.proposal_id}  ", "dim"), piece(row.title))


def bulk_lines(plan: Sheet, tokens: int, filter_text: str) -> list[Line]:
    """What accepting several would do: tokens, what is left out, every row; `!` stands by what has a warning."""
    left = ", ".join(f"{count} {name}" for name, count in plan.left_out.items()) or "none"
    after = max(0, tokens + plan.token_effect)
    lines: list[Line] = [
        (
            (f"Accept {plural(len(plan.rows), 'proposal')}?", "bold"),
            ("   filter ", "dim"),
            piece(filter_text or "none", "dim"),
        ),
        (),
        (("next session ", "dim"), (f"{number(tokens)} → about {number(after)} tok", "")),
        ((f"left out: {left}", "warn" if plan.left_out else "dim"), ("   one undo takes all back", "dim")),
        (),
    ]
    for row in plan.rows:
        lines.append(
            (
                (f"{OP_SIGNS[row.op]} ", f"op-{row.op.value}"),
                (f"{row.kind.value:11}", "dim"),
                ("! " if row.warnings else "", "warn"),
                (pad(piece(row.title)[0], 42 if row.warnings else 44), ""),
                (f" {score(row.confidence)}  {signed(row.token_effect)}", "dim"),
            )
        )
    return lines
