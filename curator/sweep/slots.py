"""Slots: the specifics of a text, the parts where one changed character makes another fact.

Owns how a text is cut into tokens and which tokens are specifics: numbers, versions, dates, paths, identifiers,
flags, names, polarity, quantifiers and environment, in English and Chinese. Judges nothing; `relate` does.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Slot(StrEnum):
    """The kinds of specifics; `WORD` is everything else."""

    DATE = "date"
    VERSION = "version"
    NUMBER = "number"
    PATH = "path"
    FLAG = "flag"
    IDENTIFIER = "identifier"
    NAME = "name"
    POLARITY = "polarity"
    QUANTIFIER = "quantifier"
    ENVIRONMENT = "environment"
    WORD = "word"


class Token(NamedTuple):
    """One piece of a text: as written, its form for comparing, and what kind of specific it is."""

    text: str
    norm: str
    slot: Slot

    def __hash__(self) -> int:
        return hash(self.norm)

    @property
    def specific(self) -> bool:
        """Is it a specific, so that another value makes another statement?"""
        return self.slot is not Slot.WORD


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


NEGATIONS = _words(
    "not no never none nothing neither nor without cannot can't don't doesn't didn't isn't aren't wasn't won't"
    " shouldn't mustn't wouldn't couldn't haven't hasn't hadn't nobody dont avoid forbidden prohibited forbid",
    "不 不要 不能 不得 不可 不是 不再 别 勿 禁止 没有 没 无 无需 无法 未 不用 不会 不应 不应该 从不",
    "避免 严禁 切勿 不必",
)
OPPOSITES = _words(
    "enable/disable enabled/disabled enabling/disabling allow/deny allowed/denied always/never with/without",
    "before/after primary/secondary public/private on/off true/false sync/async synchronous/asynchronous",
    "increase/decrease minimum/maximum min/max first/last include/exclude love/hate required/optional",
    "mandatory/optional up/down left/right start/stop open/closed success/failure lower/upper internal/external",
    "online/offline north/south east/west add/remove accept/reject volatile/non-volatile safe/unsafe",
    "blocking/non-blocking strict/lenient eager/lazy manual/automatic manually/automatically hot/cold",
    "ascending/descending valid/invalid mutable/immutable static/dynamic parallel/sequential read-only/writable",
    "opt-in/opt-out soft/hard encrypted/plaintext push/pull client/server local/remote",
    "启用/禁用 开启/关闭 打开/关闭 允许/禁止 同步/异步 之前/之后 前/后 主/备 公开/私有 增加/减少 必须/可选 内部/外部",
    "上/下 左/右 成功/失败 本地/远程 静态/动态 自动/手动 可写/只读 加/减 至少/至多 至少/最多 新/旧",
)
SIDES: dict[str, set[str]] = {}
for _pair in sorted(OPPOSITES):
    _one, _, _other = _pair.partition("/")
    SIDES.setdefault(_one, set()).add(_other)
    SIDES.setdefault(_other, set()).add(_one)
QUANTIFIERS = _words(
    "all every each any some only most both single always once twice few many several exactly just entire whole",
    "所有 每 每个 每次 任何 全部 部分 仅 只 只有 至少 最多 一律 始终 总是 单个 都",
)
_ALL = {
    "entire": "all",
    "whole": "all",
    "just": "only",
    "every": "all",
    "each": "all",
    "全部": "所有",
    "每个": "每",
    "只有": "仅",
    "只": "仅",
}
"""Quantifiers that say the same as another one."""
ENVIRONMENTS = _words(
    "production prod staging development dev local localhost ci linux macos mac windows win32 android ios chrome"
    " firefox safari edge arm64 aarch64 x86 x86_64 amd64 docker kubernetes k8s desktop mobile browser nightly stable"
    " beta canary sandbox preview qa uat wsl",
    "生产 生产环境 测试环境 预发 预发布 线上 线下 开发环境 移动端 桌面端 前端 后端 前台 后台",
)
NUMBER_WORDS = (
    {
        word: str(n)
        for n, word in enumerate(
            ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
        )
    }
    | {word: str(n) for n, word in enumerate("零一二三四五六七八九十")}
    | {"两": "2"}
)
ORDINALS = _words("first second third fourth fifth sixth seventh eighth ninth tenth last")
STOP = _words(
    "a an the of to in on at by for from as is are be been being was were it its this that these those and or if then"
    " so than into onto with will would can could may might do does did has have had which who what when where there"
    " here also just very your you we our i they their he she his her",
    "的 了 在 是 和 与 或 把 被 就 也 很 将 要 会 对 于 而 及 其 该 这 那 有 以 为 从 到 由",
)
COMMON = _words(
    "需要 必须 使用 可以 不能 不要 如果 时候 因为 所以 但是 以及 或者 没有 这个 一个 进行 通过 直接 默认",
    "支持 包括 其他 所有 每个 任何 用户 数据 代码 文件 问题 时间 系统 功能 方法 方式 服务 项目 任务 工具",
    "调用 返回 处理 执行 实现 修改 添加 删除 更新 检查 验证 测试 错误 失败 成功 运行 配置 接口 消息 信息",
    "内容 结果 状态 类型 名称 参数 函数 模块 组件 逻辑 流程 步骤 版本 页面 前端 后端 对应 相关 完成 开始",
    "结束 之前 之后 同时 只有 只在 优先 避免 防止 导致 原因 根因 解决 方案 设计 决定 选择 采用 提供 保持",
    "记录 不同 相同 统一 独立 单独 重复 存在 出现 发现 要求 规则 说明 情况 场景 操作 对象 应该 这样 其中",
    "作为 不会 而不 不是 就是 已有",
)
"""Pairs of Chinese characters that are frequent in any note; too few Chinese notes may be counted to find them."""
SHOUTED = _words("important critical note warning must tip todo rule pattern caution e.g i.e etc attention hint always")
"""Words that are written large or with dots for effect, not as names."""
_FOLDERS = _words("src docs doc test tests lib app apps config bin var etc usr packages scripts tools data public")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_ASIDE = re.compile(
    r"(?:^|(?<=[.!?。！？]))(\s*)(?:(?:no|nope)\s*[,.!:;](?=\s)|(?:不|别|不是|不对)[，。！])", re.IGNORECASE
)
"""A "no" said to what went before, which denies nothing of what follows."""
_SUFFIXES = (
    "py|js|jsx|ts|tsx|mjs|cjs|rs|go|java|kt|rb|c|h|cc|cpp|hpp|cs|swift|sh|bash|zsh|ps1|md|mdx|txt|json|jsonl|ya?ml|toml"
    "|ini|cfg|conf|env|lock|sql|db|html?|css|scss|svg|png|jpg|xml|csv|ron|proto|gradle|ipynb|log|exs?|erl|vue|svelte"
)
_TOKEN = re.compile(
    # Nearly every piece is a plain word that nothing below could take, or the space between: both are told at once.
    r"[\s,;()\"]{0,4}+(?:(?P<plain>(?!instead of|rather than)[A-Za-z]+(?=[\s,;)]|\.?\Z|\.\s))"
    r"|(?P<path>https?://[^\s`'\"<>)，。]+)"
    r"|(?P<date>\d{4}-\d{2}(?:-\d{2})?(?:T[\d:.]+Z?)?(?!\d)|(?:19|20)\d\d\s?[-–/]\s?(?:19|20)\d\d"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
    r"|\d+\s?[年月日号](?:\d+\s?[月日号])*)"
    r"|(?P<flag>(?<![\w-])--?[A-Za-z][\w-]*(?:=[\w./-]+)?)"
    r"|(?P<path_>[~.@]{0,2}[\w.@$*{}<>\[\]-]*(?:/[\w.@$*{}<>\[\]-]+)+/?"
    rf"|[\w-][\w.-]*\.(?:{_SUFFIXES})\b)"
    r"|(?P<version>v\d+(?:\.\d+)*[\w.+-]*\b|\d+(?:\.\d+){2,}[\w.+-]*|\d+\.\d+(?:-[a-z]\w*|[a-z]\d*)\b)"
    r"|(?P<number>[+-]?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|(?:ms|s|min|h|KB|MB|GB|TB|kB|px|em|rem|x|k|K|M|B)\b))?(?![\w-]))"
    r"|(?P<phrase>\b(?:instead of|rather than)\b)"
    r"|(?P<word>[A-Za-z_$][\w$]*(?:['-][A-Za-z0-9][\w$]*|(?:\.|::|->)[A-Za-z_$][\w$]*)*(?:\(\)|!(?=\())?)"
    r"|(?P<mixed>\d[\w-]*\w)"
    rf"|(?P<cjk>[{_CJK}]+)"
    r"|(?P<sign>[<>=!≤≥≠→]+)"
    r"|(?P<emoji>[\u2190-\u2bff\U0001f000-\U0001faff]))"
)
_SLOTS = (
    dict.fromkeys(ENVIRONMENTS, Slot.ENVIRONMENT)
    | dict.fromkeys(QUANTIFIERS, Slot.QUANTIFIER)
    | dict.fromkeys(NEGATIONS, Slot.POLARITY)
)
_GROUPS = {"plain": "word", "path_": "path"}
_ID = re.compile(r"\d|_|[a-z][A-Z]|\w[.:>]+\w|\(\)$|!$|^[A-Z]{3,}$|\$")
_ZH_SPECIFIC = re.compile(
    "|".join(
        sorted(
            {w for group in (NEGATIONS, QUANTIFIERS, ENVIRONMENTS, frozenset(SIDES)) for w in group if w[0] > "\u2e80"},
            key=len,
            reverse=True,
        )
    )
    + "|[零一二两三四五六七八九十百]+(?=[个次天周年月条项种步层级倍份遍轮号日时秒分台])"
    + "|(?<=第)[零一二两三四五六七八九十百]+|(?<=周)[一二三四五六日天]|(?<=星期)[一二三四五六日天]"
    + "|[二两三四五六七八九十]+(?=点|小时)"
)


@lru_cache(maxsize=512)
def tokens(text: str) -> tuple[Token, ...]:
    """The text's tokens in order; code spans are identifiers whatever they hold; markup and punctuation are none."""
    found: list[Token] = []
    for n, part in enumerate(re.split(r"`+([^`]+)`+", _ASIDE.sub(r"\1", text.replace("’", "'")))):
        for match in _TOKEN.finditer(part):
            group = match.lastgroup or ""
            piece, start = match[group], match.start(group)
            group = _GROUPS.get(group, group)
            if group == "cjk":
                found += _chinese(piece)
            elif group == "path" and n % 2 == 0 and _alternatives(piece):
                found += [_token(part, "word", False, False) for part in piece.split("/")]
            else:
                begins = piece[0].isupper() and _begins(part, start)
                found.append(_token(piece, group, n % 2 == 1, begins))
    return tuple(found)


def specifics(text: str) -> tuple[Token, ...]:
    """Only the tokens that are specifics, in order."""
    return tuple(token for token in tokens(text) if token.specific)


def negations(found: tuple[Token, ...]) -> int:
    """Number of negations; an odd difference between two texts turns the statement round."""
    return sum(1 for token in found if token.norm in NEGATIONS)


def opposite(one: str, other: str) -> bool:
    """Are the two words the two sides of one pair, such as enable and disable?"""
    return other in SIDES.get(one, ())


@lru_cache(maxsize=20_000)
def _token(piece: str, group: str, code: bool, begins: bool) -> Token:
    lower = piece.lower().removesuffix("'s")
    if group in ("date", "flag", "path", "version"):
        return Token(piece.rstrip(".,;:") or piece, lower.rstrip("./,;:") or lower, Slot(group))
    if group == "number":
        return Token(piece, lower.replace(",", "").replace(" ", ""), Slot.NUMBER)
    if group == "phrase":
        return Token(piece, "not", Slot.POLARITY)
    if not code and (slot := _SLOTS.get(lower)):
        return Token(piece, _ALL.get(lower, lower), slot)
    if not code and lower in NUMBER_WORDS and lower != "one":
        return Token(piece, NUMBER_WORDS[lower], Slot.NUMBER)
    if not code and piece.islower() and piece.isalpha():
        return Token(piece, lower, Slot.WORD)
    if group == "mixed" or (group == "word" and lower not in SHOUTED and (code or _ID.search(piece))):
        return Token(piece, lower, Slot.IDENTIFIER)
    if group == "word" and piece[0].isupper() and not begins and lower not in SHOUTED and len(piece) > 1:
        return Token(piece, lower, Slot.NAME)
    return Token(piece, lower, Slot.WORD)


def _alternatives(piece: str) -> bool:
    """Is it words with a stroke between, such as writing/modifying, and no path?"""
    parts = piece.split("/")
    return len(parts) < 4 and all(p.isalpha() and p.islower() and len(p) > 2 and p not in _FOLDERS for p in parts)


def _chinese(run: str) -> list[Token]:
    """A run of Chinese: listed words and counted numbers are specifics, every other character is a word."""
    found: list[Token] = []
    position = 0
    for match in _ZH_SPECIFIC.finditer(run):
        found += [Token(char, char, Slot.WORD) for char in run[position : match.start()]]
        piece = match.group()
        slot = _SLOTS.get(piece) or (Slot.WORD if piece in SIDES else Slot.NUMBER)
        norm = NUMBER_WORDS.get(piece, piece) if slot is Slot.NUMBER else _ALL.get(piece, piece)
        found.append(Token(piece, norm, slot))
        position = match.end()
    return found + [Token(char, char, Slot.WORD) for char in run[position:]]


def _begins(part: str, start: int) -> bool:
    """Does a sentence or list item begin here, so that a capital letter says nothing?"""
    before = part[max(0, start - 6) : start].rstrip(" \"'(*_[")
    return (not before and start < 6) or before.endswith((".", "!", "?", ":", ";", "\n", "-", "•", "—", "#", "|"))
