"""Tokens of a text without a vocabulary: by runs of letters, digits, blanks and signs, times 1.1.

Fitted to cl100k so that it lies above the real count: every text of 200 characters or more that was tried, in 40
scripts, code, random letters, base64 and hex; shorter ones fall short by four tokens at most. What it costs: English
counts a fifth more than it has, Chinese 1.4 times, Russian up to 2.6 times.
"""

import functools
import re

MARGIN = 1.1

_RUN = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<gap> (?=[!-~]))|(?P<blank>[ \t\r\n]+)|(?P<sign>[!-~])|(?P<other>.)",
    re.DOTALL,
)
_FOLLOWERS = (
    "abcdfghiklmnprstuvwxy baeilorsu cacehiklorstuy dadeilorsu eabcdefgilmnopqrstuvwxy faefilortu gaeghilnorsu "
    "haeiortuy iabcdefgklmnoprstvxz jaeou kaeis ladeilostuy mabeimopsu nacdefgiknostuvy oabcdfgiklmnoprstuvwxy "
    "paehiloprstu qu rabcdegiklmnoprstuvy sacehiklmopstuwy tacehilmoprstuy uabcdefgilmnprst vaeio waehino "
    "xceipt yelnops zae"
)
"""A letter and those that follow it in words: 280 pairs, 96 % of all pairs in the vocabulary's own words."""

_RARE = re.compile("|".join(f"{each[0]}(?=[^{each[1:]}])" for each in _FOLLOWERS.split()))
_TURN = re.compile("[a-z][A-Z]")
_CAPITALS = re.compile("[A-Z](?=[A-Z])")


def estimated(text: str) -> int:
    """Tokens of a text, rounded up."""
    return -int(-sum(map(_weight, _RUN.finditer(text))) * MARGIN // 1)


def _weight(run: re.Match[str]) -> float:
    length = run.end() - run.start()
    match run.lastgroup:
        case "word":
            return _word(run.group())
        case "digits":
            return -(-length // 3)
        case "gap":
            return 0.12
        case "blank":
            return 1 + length // 40
        case "sign":
            return 0.85
    return _character(run.group())


@functools.lru_cache(maxsize=8192)
def _word(word: str) -> float:
    """A word that looks like one is a token or two; letters that seldom meet are about one for two."""
    length = len(word)
    rare = 0.85 * len(_RARE.findall(word.lower()))
    if word.isupper():
        return 1.25 + 0.6 * (length - 2) if length > 2 else 1 + (length > 1 and rare > 0) / 2
    parts = 1 + len(_TURN.findall(word))
    beyond = max(0.0, (length - 7 * parts) / 2.5)
    return parts + 0.15 * len(_CAPITALS.findall(word)) + max(rare, beyond) + 0.6 * min(rare, beyond)


@functools.cache
def _character(char: str) -> float:
    if char in _SINGLE:
        return 1.0
    code = ord(char)
    if code < 0x80:
        return 1.0
    if code < 0x800 or 0x900 <= code < 0x980 or 0xE00 <= code < 0xE80 or 0x3000 <= code < 0x3100:
        return 1.85
    return 2.75 if code < 0x20000 else 3.65


_SINGLE = frozenset(
    "\u05d0\u05d1\u05d3\u05d4\u05d5\u05d7\u05d9\u05dc\u05de\u05e0\u05e2\u05e8\u05e9\u05ea"
    "\u0623\u0625\u0627\u0628\u0629\u062a\u062b\u062c\u062d\u062e\u062f\u0630\u0631\u0632\u0633\u0634\u0635"
    "\u0636\u0637\u0638\u0639\u063a\u0641\u0642\u0643\u0644\u0645\u0646\u0647\u0648\u0649\u064a\u067e\u06a9"
    "\u06af\u06cc"
    "¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¹º»¼½¾¿ÀÁÂÃÄÇÉÍÎÐÑÓÖ×ÚÜßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýāăąćčĐđēęěğīİıłńōőœřśşšţťūůűźżžơưșțəɵ"
    "άέήίαβγδεηθικλμνοπρςστυφχωόЂАБВГДЕЗИКЛМНОПРСТУФЦЧЭЯабвгдежзийклмнопрстуфхцчшщъыьэюяёі،कतनपमरलसहনরกขคงจชณดตถทนบปผ"
    "พมยรลวสหอะาำเแใไạảấầẩậắặếềểệỉịọỏốồổỗộớờởợụủứửữự‐‑–—―‘’‚“”„†•…‰′″›※₀₁₂€™←↑→↓−─━│═║╗╝█░■►●★☆☴♀♥♪✔⟩⠀、。《》「」『"
    "』【】〜あいうえおかがきくけこごさざしじすせそただちっつてでとどなにのはばまみめもやよらりるれろわをんアィイウェ"
    "エオカキクグコサシジスズセタダチッテデトドナニバパビピフブプペポマムメャュョラリルレロン・ー一万三上下不与专业东"
    "两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们件价任份企优会传但位体何余作你使例供価保信修倍值停"
    "像元先入全公共关其具内円册再写出击分列则初利别到制前力功加务动動包化北区十午华单南即历原去县参及友反发取变口只可"
    "台右号司合同名后向否含听启告员周命和品哈商問器四回因国图土在地场址型城基報場填增声处备复外多大天失头女好如始子字"
    "存学安宋完定实审客家容密对导将小少尔就局展山岁州工左已市布常平年并广序库应店度建开异式引张当录形影径待後得微心必"
    "志态思性总息您情意感成我或户所手打找技投报拉持指按换据排接推提播支收改放政效数整文料断新方族无日时明易星是時景更"
    "最月有服期木未本机权束条来板构析果查标样核格案检模次款止正此步歳段每比民気水求江汽没治法注活流海消清游源火点無然"
    "片版物特率环现球理生用由电男画界番登的监目直相省看県真知码确示社票私种科秒称移程稍税稿空立站章端笑符第等签简算管"
    "箱米类系素索约级线组经结给络统编网置美老考者而联能自至色节英藏行表装西要見见规视角解言計記話読计认议记论设证评试"
    "话询该详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这进连述退送选通速造連道邮部都配释里重量金钟钮"
    "链销错键长開間関门闭问间队阳陆限院除雅集雷需非面音页项预频题额首验高黑가간값개거게결경고공과구그글기나내는능니다"
    "당대도동되된드든들디라래러력로록료류른를름리만메면명목문미버번보복부분비사산상색생서성세션소수스습시식신아야어에"
    "여열오와요용우운원위으은을음의이인일임입자작장재적전정제져조주지진째체출치크태터턴트튼하한할함해호화환회！（），"
    "－．／０１２３４５６７８９：；＞？＾～･￥�"
)
"""Characters that are one token by themselves; what is not among them counts by its bytes."""
