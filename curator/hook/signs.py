"""Signs that are told from words: a lost thread, something hard to take back, something that does not exist.

Owns the lists, small on purpose and each testable. A sign only ever adds a reminder; it blocks nothing.
"""

import re

LOST = (
    r"\b(?:did|have) you forg[eo]t",
    r"\byou(?:'ve| have)? (?:already )?(?:lost|forg[eo]t(?:ten)?|drifted|ignored)\b",
    r"\bas i (?:already )?(?:said|told you|mentioned|explained)\b",
    r"\bi (?:already|just) (?:said|told you|mentioned|explained)\b",
    r"\bi told you\b",
    r"\bwe(?:'ve| have)? already (?:did|done|decided|agreed|discussed|fixed|tried|covered)\b",
    r"\b(?:that is|that's|this is|this isn't|that isn't) not what (?:i|we) (?:asked|agreed|said|wanted|meant)\b",
    r"\bwhat (?:are|were) (?:you|we) (?:even )?(?:doing|working on)\b",
    r"\b(?:you're|you are) (?:off track|going in circles|on the wrong track|repeating yourself)\b",
    r"\bremember (?:what|that) (?:i|we) (?:said|agreed|decided)\b",
    r"\bgo back to (?:the|what)\b.{0,40}\b(?:task|plan|goal|agreed)\b",
    r"你(?:是不是)?(?:又)?忘了?(?:记)?|忘记了?吗|我(?:不是)?(?:刚才?|已经|之前)?(?:就)?说过|我告诉过你|我们(?:已经|之前)(?:说|定|讨论|做|改|试)过?"
    r"|不是我(?:要|说|想)的|跑偏|偏题|离题|你在(?:做|干)什么|又(?:搞|弄)错|回到(?:原来|刚才|之前|正题)|重复(?:了|做)过",
)
"""Phrases with which a person says that the agent lost the thread, in English and Chinese."""

DESTRUCTIVE = (
    r"\brm\s+(?:-[a-zA-Z]*[rRf]|--recursive|--force)",
    r"\b(?:rmdir|shred|unlink|truncate)\b",
    r"\bfind\b.*(?:-delete\b|-exec\s+(?:rm|mv)\b)",
    r"\bxargs\b.*\b(?:rm|mv)\b",
    r"\bgit\s+(?:-\S+\s+\S+\s+)*(?:reset\s+(?:\S+\s+)*--hard|clean\s+-\w*[fdx]|checkout\s+(?:--\s+)?\.|restore\s+\.)",
    r"\bgit\s+(?:-\S+\s+\S+\s+)*push\b.*(?:--force|\s-f\b|--delete|\s:\w|--mirror)",
    r"\bgit\s+(?:-\S+\s+\S+\s+)*(?:branch\s+-D|filter-branch|filter-repo|rebase\b|stash\s+(?:drop|clear)|rm\s+-r)",
    r"\b(?:drop|truncate)\s+(?:table|database|schema|index|view|column)\b",
    r"\bdelete\s+from\s+\w+\s*(?:;|$|[\"'])",
    r"\b(?:mv|rename|git\s+mv)\b[^|;&]*(?:\*|\{)",
    r"\b(?:for|while)\b.*\b(?:rm|mv)\b",
    r"\b(?:dropdb|mkfs\S*|kubectl\s+delete|terraform\s+(?:destroy|apply)|docker\s+(?:system|volume)\s+prune)\b",
    r"\b(?:Remove-Item|del|rd)\b.*(?:-Recurse|/s)",
)
"""Commands that delete, move many files, rewrite history or drop data."""

ABSENT = (
    r"no such file or directory",
    r"\b(?:file|path|directory|module|symbol|function|class|method|command)\b[^.\n]{0,60}"
    r"\b(?:does not exist|doesn't exist|not found|no longer exists)\b",
    r"\b(?:cannot|could not|can't) find (?:the )?(?:file|path|module|symbol|name)\b",
    r"\b(?:ModuleNotFoundError|ImportError|FileNotFoundError|AttributeError|NameError)\b",
    r"\bENOENT\b",
    r"\bno (?:files|matches) found\b",
    r"\b(?:undefined|unresolved) (?:symbol|name|reference|variable)\b",
)
"""What a tool's result says when a path or symbol does not exist."""

_LOST = re.compile("|".join(LOST), re.IGNORECASE)
_DESTRUCTIVE = re.compile("|".join(DESTRUCTIVE), re.IGNORECASE)
_ABSENT = re.compile("|".join(ABSENT), re.IGNORECASE)
_HEAD = 20_000  # characters looked at


def lost_thread(text: str) -> bool:
    """Does the person's text say that the agent lost the thread? Long texts are pasted material and say nothing."""
    return len(text) <= 2_000 and bool(_LOST.search(text))


def destructive(command: str) -> bool:
    """Is a shell command, or SQL in it, hard to take back?"""
    return bool(_DESTRUCTIVE.search(command[:_HEAD]))


def absent(result: str) -> bool:
    """Does a tool's result say that a path or symbol does not exist?"""
    return bool(_ABSENT.search(result[:_HEAD]))
