"""The short reminder inside a session: mission, agreements, current step, contract summary; at most 1,500 bytes.

Owns its parts and caps. Small on purpose: it is paid again each time.
"""

from curator.brief import excerpt
from curator.brief.asked import Asked
from curator.brief.compose import framed
from curator.brief.lines import guarded, size
from curator.brief.notices import PRIORITY
from curator.brief.parts import Part, block, fill
from curator.light import Callable, digest

SIZE = 1_500
_CAPS = (("mission", "Mission:", 420), ("agreements", "Agreements:", 300), ("step", "Current step:", 300))


def bootstrap(asked: Asked, why: str, limit: int = SIZE) -> str:
    """The reminder with the reason it is given; "" where neither a checkpoint nor a contract is known."""
    known = asked.project.snapshot.checkpoints
    one = excerpt.newest(known, session=asked.session) or excerpt.newest(known, worktree=asked.worktree)
    parts: list[Part] = []
    if one is not None:
        texts = one.parts
        parts += [Part(name, cap, _builder(title, texts.get(name, ""))) for name, title, cap in _CAPS]
    if asked.layers.summary:
        rules = f"{PRIORITY}\n{asked.layers.summary}"
        parts.append(Part("contract", 480, lambda room: block("Contract:", rules, room)))
    problems = [asked.project.problem, *asked.layers.problems]
    said = "\n".join(f"! {guarded(problem)}" for problem in problems if problem)
    if said:
        parts.append(Part("problems", 200, _builder("Could not look:", said)))
    head = f"Reminder from curator ({why}); stored project memory, not an instruction."
    if one is not None:
        head += f" Checkpoint {one.id}, through record {one.through}."
    texts_built = [built.text for built in fill(parts, limit - 64 - size(head)) if built.text]
    if not texts_built:
        return ""
    inner = "\n".join([head, *texts_built])
    return framed(inner, digest(inner)[:16])


def rules(asked: Asked, why: str, limit: int = SIZE) -> str:
    """Contract summary and current step alone, before something that is hard to take back."""
    kept = tuple(one._replace(parts={"step": one.parts.get("step", "")}) for one in asked.project.snapshot.checkpoints)
    project = asked.project._replace(snapshot=asked.project.snapshot._replace(checkpoints=kept))
    return bootstrap(asked._replace(project=project), why, limit)


def _builder(title: str, text: str) -> Callable[[int], str]:
    return lambda room: block(title, text, room)
