"""A markdown memory file to candidates: what stands alone becomes one, what does not stays whole or where it is. Pure.

Owns what a good candidate is. Never cuts inside a sentence, a code block or a table; an item that needs the words
above it carries them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from curator.door import without_marker
from curator.harvest.memory import signs
from curator.harvest.memory.blocks import Block, blocks, written
from curator.harvest.memory.candidate import Candidate, Left, Reading, collected
from curator.harvest.memory.sections import Section, cut
from curator.harvest.sentences import words_in
from curator.vocab import Kind, Route

LONGEST = 1_500
"""Characters of the longest candidate; what is longer is a document, and stays one."""

NESTED = 900
"""Characters up to which an item stays one with what is nested in it."""

CODE_LINES = 12
"""Lines of a code block that goes with the words which announce it."""

_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
_BOLD = re.compile(r"(?<![/*])\*\*(?![/*])")


@dataclass(frozen=True)
class Context:
    """What is known where a block stands. `above`: the hint is a higher heading's, so it speaks for orders only."""

    heading: str = ""
    kind: Kind | None = None
    why: str = ""
    above: bool = False
    scope: str = ""
    lessons: bool = False


def read(text: str, kind: Kind | None = None, *, lessons: bool = False, scope: str = "") -> Reading:
    """The candidates of a text. `kind` is what the file itself stands for; `lessons`: its sections are records.

    `scope` names what the whole file is about where it is not the project; its front matter may name it too.
    """
    found = cut(text)
    if found.fields.get("alwaysapply") != "true":
        scope = found.fields.get("globs") or found.fields.get("paths") or scope
    parts: list[Candidate | Left] = list(found.left)
    for section in found.sections:
        if any(signs.is_status(name) for name in section.path):
            parts.append(Left(section.line, "status"))
            continue
        parts += _section(section, replace(_context(section, kind), scope=scope, lessons=lessons))
    return collected(parts)


def _context(section: Section, kind: Kind | None) -> Context:
    hinted = next(((name, k) for name in reversed(section.path) if (k := signs.hint(name))), None)
    if hinted:
        return Context(section.heading, hinted[1], f"it stood under {hinted[0]!r}", hinted[0] != section.heading)
    return Context(section.heading, kind, "by the file it stood in" if kind else "")


def _section(section: Section, context: Context) -> Iterator[Candidate | Left]:
    found = blocks(section.text, section.line)
    if whole := _record(section, found, context):
        yield whole
        return
    yield from _sequence(found, context)


def _record(section: Section, found: Sequence[Block], context: Context) -> Candidate | None:
    """A section that records one thing (mistake, cause, rule), or a lesson told in prose, as one candidate."""
    lines = [line for block in found for line in _lines(block)]
    labelled = sum(signs.is_record_line(line) for line in lines)
    told = context.lessons and len(section.path) > 1 and all(b.kind in {"paragraph", "code", "rule"} for b in found)
    if not (labelled >= 2 or (told and any(b.kind == "paragraph" for b in found))):
        return None
    text = "\n".join(written(block) for block in found if block.kind != "rule").strip()
    if len(text) > LONGEST or signs.is_boilerplate(text):
        return None
    title = section.heading if signs.is_title(section.heading) else ""
    made = _candidate(text, section.line, context)
    return replace(made, title=title, whole=True) if made else None


def _lines(block: Block) -> Iterator[str]:
    if block.kind == "paragraph":
        yield from block.text.split("\n")
    for part in block.parts:
        yield from _lines(part)


def _sequence(found: Sequence[Block], context: Context) -> Iterator[Candidate | Left]:
    """Blocks one after the other; a paragraph that ends with a colon goes with what follows it."""
    number = 0
    while number < len(found):
        block, after = found[number], found[number + 1] if number + 1 < len(found) else None
        number += 1
        if block.kind == "paragraph" and (name := signs.pseudo_heading(block.text)):
            if signs.is_status(name):
                yield Left(block.line, "status")
                return
            kind = signs.hint(name)
            context = replace(context, heading=name)
            context = replace(context, kind=kind, why=f"it stood under {name!r}", above=False) if kind else context
        elif block.kind == "paragraph" and signs.leads_in(block.text) and after and after.kind not in {"paragraph"}:
            number += 1
            yield from _announced(block, after, context)
        else:
            yield from _block(block, context, "")


def _announced(lead: Block, after: Block, context: Context) -> Iterator[Candidate | Left]:
    """What follows a lead-in: a list under its words, or a short code block that makes sense with them only."""
    words = " ".join(lead.text.split())
    if after.is_list:
        yield from _list(after, context, words)
        return
    short = after.kind == "code" and after.text.count("\n") <= CODE_LINES and words_in(words) >= 3
    if short and (made := _candidate(f"{words}\n{after.text}", lead.line, context, whole=True)):
        yield made
        return
    if signs.is_rule(words) and (made := _candidate(words.rstrip(":："), lead.line, context)):
        yield made
    yield from _block(after, context, "")


def _block(block: Block, context: Context, lead: str) -> Iterator[Candidate | Left]:
    if block.is_list:
        yield from _list(block, context, lead)
    elif block.kind == "paragraph":
        yield from _paragraph(block, context)
    elif block.kind == "quote":
        inner = "\n".join(part.text for part in block.parts if part.kind == "paragraph")
        if (
            signs.is_strict(inner)
            and len(inner) <= LONGEST
            and (made := _candidate(_alert(inner), block.line, context))
        ):
            yield made
        else:
            yield Left(block.line, "quotation")
    elif block.kind in {"code", "table"}:
        yield Left(block.line, "code block" if block.kind == "code" else "table")


def _alert(text: str) -> str:
    """A quoted warning without the mark of its sort (`[!NOTE]`)."""
    return text.partition("]")[2].strip() if text.startswith("[!") else text


def _paragraph(block: Block, context: Context) -> Iterator[Candidate | Left]:
    text = block.text
    if items := signs.lines_of_list(text):
        made = [
            Block("item", block.line + n, "", (Block("paragraph", block.line + n, t),)) for n, t in enumerate(items)
        ]
        yield from _list(Block("bullets", block.line, "", tuple(made)), context, "")
    elif signs.is_pointer(text):
        yield Left(block.line, "pointer")
    elif signs.is_boilerplate(text):
        yield Left(block.line, "what the file is for")
    elif (
        not signs.leads_in(text)
        and len(text) <= LONGEST
        and signs.is_telling(text)
        and (told := _candidate(text, block.line, context))
    ):
        yield told
    else:
        yield Left(block.line, "prose")


def _list(block: Block, context: Context, lead: str) -> Iterator[Candidate | Left]:
    """A list: its items where they are statements, the whole where it is an inventory or a procedure."""
    items = [item for item in block.parts if not (_settled(item))]
    yield from (Left(item.line, what) for item in block.parts if (what := _settled(item)))
    if not items:
        return
    together = replace(block, parts=tuple(items))
    if _belongs_together(together, lead):
        text = written(together)
        about = lead or (signs.labelled(context.heading, "").strip() if not signs.is_generic(context.heading) else "")
        whole = f"{about}\n{text}" if about else text
        if len(whole) <= LONGEST:
            facts = block.kind == "bullets" and context.kind in {Kind.PATTERN, Kind.CORRECTION, Kind.LESSON}
            about_it = replace(context, kind=None) if facts and not signs.is_strict(whole) else context
            if made := _candidate(whole, block.line, about_it, whole=True):
                yield made
            return
        if not any(signs.is_statement(item.words) for item in items):
            yield Left(block.line, "inventory")
            return
    for item in items:
        yield from _item(item, context, lead)


def _settled(item: Block) -> str:
    """What an item is that no memory is made of; empty for the others."""
    words = item.words
    if signs.task_of(words):
        return "task"
    return "pointer" if signs.is_pointer(words) and not item.nested else ""


def _belongs_together(block: Block, lead: str) -> bool:
    statements = sum(signs.is_statement(item.words) or bool(item.nested) for item in block.parts)
    if block.kind == "numbers":
        rules = sum(signs.is_strict(item.words) for item in block.parts)
        return rules * 2 < len(block.parts) and not any(item.nested for item in block.parts)
    if len(block.parts) == 1:
        return not statements and bool(lead)
    return statements * 2 < len(block.parts)


def _item(item: Block, context: Context, lead: str) -> Iterator[Candidate | Left]:
    words = item.words
    own = _with_lead(words, lead)
    if not item.nested:
        yield from _single(own, item.line, context)
        return
    whole = f"{own}\n" + "\n".join(written(part, 1) for part in item.nested)
    announces = signs.leads_in(words) or bool(signs.pseudo_heading(words)) or words_in(words) < 4
    code = [part for part in item.nested if part.kind == "code" and part.text.count("\n") > CODE_LINES]
    parts = [part for part in item.nested if part.is_list for part in part.parts]
    free = announces and len(parts) >= 2 and all(signs.is_statement(part.words) for part in parts)
    if len(whole) <= NESTED and not code and not free:
        made = _candidate(whole, item.line, context, whole=True)
        yield made or Left(item.line, "fragment")
        return
    if not announces:
        yield from _single(own, item.line, context)
    above = _label(words)
    for part in item.nested:
        if part.is_list:
            yield from _list(part, context, signs.labelled(above, "").strip() if above else lead)
        elif part.kind != "rule":
            yield Left(part.line, "code block" if part.kind == "code" else part.kind)


def _single(text: str, line: int, context: Context) -> Iterator[Candidate | Left]:
    made = _candidate(text, line, context) if len(text) <= LONGEST else None
    yield made or Left(line, "prose" if len(text) > LONGEST else "fragment")


def _with_lead(words: str, lead: str) -> str:
    """An item with the words above it where it needs them: a condition, a prohibition, a label."""
    if not lead or (len(lead) > 200 and signs.is_statement(words)):
        return words
    named = len(lead) <= 60 and not signs.is_generic(lead) and not signs.is_order(words)
    if named or signs.is_condition(lead) or not signs.is_statement(words):
        return f"{lead}{words}" if lead.endswith("：") else f"{lead} {words}"
    return words


def _label(words: str) -> str:
    """The words of a parent that its children carry."""
    plain = words.strip().rstrip(":：").strip("*_ ").strip()
    return plain if len(plain) <= 160 else plain[:157].rsplit(" ", 1)[0] + "…"


def _plain(text: str) -> str:
    """The text without emphasis; what stands in code spans and globs stays."""
    parts = _CODE.split(text.strip())
    return "".join(part if number % 2 else _BOLD.sub("", part) for number, part in enumerate(parts))


def _candidate(text: str, line: int, context: Context, *, whole: bool = False) -> Candidate | None:
    """A candidate with what it needs from its place; None for what says too little."""
    body, marked = without_marker(text)
    if marked and marked.replace(" ", "-") in set(Kind) and words_in(body) >= 2:
        named = Kind(marked.replace(" ", "-"))
        return Candidate(_plain(body), line, context.heading, named, marked=True, why=f"marked {marked}:", whole=whole)
    text = _plain(text)
    if words_in(text) < 2:
        return None
    bare = words_in(text) < 5 and not signs.is_rule(text)
    if (bare or signs.lacks_subject(text)) and not signs.is_generic(context.heading) and not signs.leads_in(text):
        text = signs.labelled(context.heading, text)
    if context.scope and context.scope not in text:
        text = f"For `{context.scope}`: {text}"
    if words_in(text) < 3:
        return None
    kind = context.kind
    if context.above and kind and kind.route is Route.INJECTED and not signs.is_order(text):
        kind = None
    if kind in {Kind.DESIGN, Kind.RESEARCH} and signs.is_strict(text):
        kind = None  # a rule that stands among facts: its text tells more than its place
    why = context.why if kind else ""
    if kind is None and signs.is_standing_order(text) and not whole:
        kind, why = Kind.PATTERN, "an order in a file that agents read"
    return Candidate(text, line, context.heading, kind, why=why, whole=whole)
