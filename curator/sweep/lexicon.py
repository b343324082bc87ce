"""Word lists behind the cues, English and Chinese: what texts of each kind are in the habit of saying.

Owns data only. Written from knowing how such notes are phrased; weighed by the training, not here.
"""

import re


def _either(english: str, chinese: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b" + (f"|{chinese}" if chinese else ""), re.IGNORECASE)


IMPERATIVE = (
    r"use|add|avoid|keep|run|set|check|ensure|make|prefer|always|never|do|don't|treat|write|put|pass|read|"
    r"call|test|verify|wrap|include|create|update|remove|delete|install|import|define|store|return|follow|"
    r"handle|replace|build|start|stop|move|mark|save|load|log|name|place|split|group|only|when|if|for|before|"
    r"after|any|all|every|no"
)
ADOPTING = (
    r"adopt|use|keep|implement|introduce|we will|retire|ship|build|extract|standardi[sz]e|support|split|treat|"
    r"move|maintain|resolve|open-source"
)
LEXICON: dict[str, re.Pattern[str]] = {
    "what must be done": _either(
        r"must|need to|needs to|have to|required|requires?|ensure|make sure|be sure",
        "必须|务必|需要|确保|应当|一定要",
    ),
    "what must not be done": _either(
        r"never|do not|don't|avoid|must not|mustn't|should not|shouldn't|cannot|can't",
        "不要|禁止|不能|不可|切勿|避免|不得|别",
    ),
    "what holds always": _either(
        r"always|every time|each time|whenever",
        "始终|总是|每次|一律|任何",
    ),
    "preferences": _either(
        r"should|prefer|preferred|recommended|better to|ought",
        "应该|应|优先|建议|最好|推荐",
    ),
    "traps": _either(
        r"silently|gotcha|pitfall|trap|surprising|surprise|counter-?intuitive|non-obvious|subtle|careful|beware|"
        r"watch out|remember|caveat|warning|expected|misleading|sparingly",
        "静默|坑|陷阱|注意|小心|踩|隐蔽|误",
    ),
    "conditions": _either(
        r"if|when|unless|otherwise|before|after|until|once",
        "如果|若|当|之前|之后|除非|否则|先|后",
    ),
    "reasons": _either(
        r"because|since|so that|due to|therefore|thus|hence",
        "因为|由于|所以|因此|以免",
    ),
    "failures": _either(
        r"fail|fails|failed|failing|failure|error|errors|crash|crashes|crashed|broke|broken|break|breaks|hang|"
        r"hangs|bug|throws?|rejects?|wrong|missing|leak|leaked|stale|lost|corrupt\w*|race|timeout|timed out",
        "失败|报错|崩溃|错误|异常|卡死|丢失|泄漏|超时|不生效|收不到",
    ),
    "the past": _either(
        r"was|were|had|did|wasn\'t|weren\'t|didn\'t|hadn\'t|could not|couldn\'t|would|used to",
        "曾|当时|之前|结果|导致",
    ),
    "causes": _either(
        r"caus\w+|root cause|resulted|resulting|led to|leads to|triggered|meant|means that|which made|so the|"
        r"as a result|never reached|never called|fell through|returned|skipped|ignored|assumed|hardcoded|"
        r"hard-coded|introduced|regress\w+",
        "根因|原因|导致|引起|造成|触发|误用|没有|未",
    ),
    "fixes": _either(
        r"fix|fixes|fixed|fixing|resolve[sd]?|repair\w*|workaround|patch\w*",
        "修复|修正|解决|改为|改成",
    ),
    "one thing leading to another": re.compile(
        r", so |, which | so every | and then | even though | but the | but never ",
        re.IGNORECASE,
    ),
    "the user": _either(
        r"the user|user's|user said|user wants?|user prefers?|user has|owner",
        "用户|使用者",
    ),
    '"Why:" and "How to apply:"': re.compile(
        r"\bwhy:|how to apply|the reason:|为什么[:：]|如何应用|原因[:：]",
        re.IGNORECASE,
    ),
    "wishes and feedback": _either(
        r"prefers?|dislikes?|frustrat\w+|explicitly|asked|told|corrected|feedback|wants?|said|wasn\'t asked|"
        r"annoy\w*|insist\w*|confirmed",
        "反感|明确|要求|偏好|喜欢|纠正|指出|强调|希望|说过",
    ),
    "how the agent works": _either(
        r"sessions?|prompts?|respons\w+|reply|replies|conversation|claude|assistant|agent|context|memory|tell|ask|"
        r"asking|present",
        "会话|回复|对话|记忆|上下文",
    ),
    "you and me": _either(
        r"i|me|my|i'll|i'm|you|your|yourself",
        "我|你",
    ),
    "findings": _either(
        r"finding|findings|found|discover\w*|observ\w+|measur\w+|benchmark\w*|result|results|verdict|conclusion|"
        r"evaluat\w+|investigat\w+|analysis|analy[sz]ed|compar\w+|survey\w*|study|studies|experiment\w*|evidence|"
        r"confirmed|hypothes\w+|tested|baseline",
        "发现|结论|实测|测量|调研|对比|分析|验证|日志|证据|实验|结果|基准|观察",
    ),
    "sources": _either(
        r"paper|article|published|et al|authors?|arxiv|docs?|documentation|according to|literature|blog|rfc|"
        r"github issue|upstream|vendor|reports?|claim|claims|source|sources|industry|literature|state of the art",
        "论文|文档|官方|资料|报告|来源|据|业界",
    ),
    "comparisons": _either(
        r"vs|versus|compared|than|faster|slower|better|worse|best|worst|outperform\w*|beats|trade-?offs?|pros|"
        r"cons|advantages?|limitations?|gap|gaps|risk|risks|strengths?|weakness\w*|maturity|landscape|"
        r"approach(?:es)?",
        "优点|缺点|优势|劣势|更好|更快|相比|差距|风险|取舍|方案",
    ),
    "possibilities": _either(
        r"recommend\w*|consider|could|may|might|likely|potential\w*|opportunit\w+|suggests?|worth|open question|"
        r"unclear|unknown|appears?|seems?",
        "建议|可以考虑|可能|或许|值得|待确认|推测",
    ),
    "the present state": _either(
        r"status|current state|currently|today|existing|previous approach|new recommendation|implemented|"
        r"not implemented|covered|coverage|no evidence",
        "现状|目前|当前|已有|状态",
    ),
    "models and tools of others": _either(
        r"anthropic|openai|google|microsoft|aws|meta|langchain|gpt|llm|llms|models?|framework|library|libraries|"
        r"tool|tools|ecosystem|open[- ]source",
        "模型|框架|工具|开源|社区|生态",
    ),
    "parts of a system": _either(
        r"system|component|components|module|modules|layer|layers|interface|architecture|service|services|"
        r"pipeline|engine|registry|adapter|handler|store|storage|table|tables|schema|field|fields|column|columns|"
        r"endpoint|api|client|server|daemon|protocol|state machine|event|events|queue|cache|index|contract",
        "系统|组件|模块|层|接口|架构|服务|管道|引擎|注册|适配器|表|字段|协议|状态机|事件|队列|缓存|存储|契约",
    ),
    "what a part does": _either(
        r"is|are|has|have|does|returns?|stores?|contains?|provides?|supports?|uses?|takes?|receives?|emits?|"
        r"reads?|writes?|loads?|handles?|creates?|sends?|exposes?|defines?|accepts?|includes?|holds?|runs?|maps?|"
        r"renders?|displays?|shows?|consists?|responsible",
        "是|为|由|提供|支持|包含|返回|读取|写入|负责|定义|存|使用|通过|按",
    ),
    "each and every": _either(
        r"each|every|all|any|only|one|single|per|both|either",
        "每|所有|各|单|只|仅|统一",
    ),
    "the user interface": _either(
        r"button|page|screen|panel|view|header|sidebar|modal|click|clicks|user sees|display\w*|layout|color|"
        r"colors|font|css|theme|hover|mobile|icon|tab|header",
        "按钮|页面|面板|界面|点击|布局|主题|显示",
    ),
    "requirements and scope": _either(
        r"shall|requirement\w*|given|then|acceptance|property|invariant|scope|out of scope|in scope|non-goals?|"
        r"goals?|phase|milestone|v1|v2|mvp|spec|specification|user stor\w+",
        "需求|验收|范围|目标|阶段|不变量|规范|本期",
    ),
    "the future": _either(
        r"will|will be|would be|going to|planned|future|later|deferred",
        "将|未来|后续|计划|届时",
    ),
    "a choice": _either(
        r"adopt\w*|choose|chose|chosen|decid\w+|decision|selected|select|we will|we use|keep|retain|retire|"
        r"replace[sd]?|switch\w*|standardi[sz]e\w*|settled|accepted|permanent|approved|defer\w*",
        "采用|决定|选择|选用|确定|保留|弃用|改用|引入",
    ),
    "alternatives": _either(
        r"rationale|reason|reasons|alternative|alternatives|considered|rejected|over|instead of|rather than|"
        r"not worth|unjustified|justif\w+|trade-?off|consequence\w*|simpler|avoids?",
        "理由|备选|而非|而不是|代替|不采用|考虑|代价|收益|兼顾",
    ),
    "technologies": _either(
        r"postgres\w*|sqlite|redis|react|typescript|python|rust|docker|kubernetes|node|next\.js|vite|tailwind|"
        r"mysql|express|bevy|astro|pytest|git|npm|pnpm|bun|monorepo|workspace",
    ),
    "a decision record": _either(
        r"adr|adr-\d+|architecture decision",
        "架构决策",
    ),
    "using one thing over another": re.compile(
        r"\b(?:use|using|prefer)\b[^.]{1,60}\b(?:over|instead of|rather than|not|for|as)\b",
        re.IGNORECASE,
    ),
}
TITLES: dict[str, re.Pattern[str]] = {
    "is numbered": re.compile(
        r"^[\d§]+[.\d)]*\s|^\d+[a-z]\.|^(?:step|phase|rule|property|section|pass)\s*\d|^[A-Z]\d+ ",
        re.IGNORECASE,
    ),
    "names a lesson": re.compile(
        r"lesson|gotcha|pitfall|learned|经验|教训|踩坑",
        re.IGNORECASE,
    ),
    "names a pattern": re.compile(
        r"pattern|convention|模式|惯例",
        re.IGNORECASE,
    ),
    "names a decision": re.compile(
        r"\badr\b|decision|^use |^adopt|^keep |^retire|^drop |决策|采用",
        re.IGNORECASE,
    ),
    "adopts something": re.compile(
        r"^(?:adopt|use|keep|implement|introduce|we will|retire|ship|build|extract|standardi[sz]e|support|split|"
        r"treat|move|maintain|resolve|open-source)\b",
        re.IGNORECASE,
    ),
    "names a study": re.compile(
        r"finding|result|verdict|analysis|evaluation|summary|research|survey|comparison|conclusion|issue #|"
        r"discover|benchmark|practice|gap|risk|evidence|\brq|recommend|overview|what |how |why |\bq\d"
        r"|结论|分析|调研|发现|"
        r"对比",
        re.IGNORECASE,
    ),
    "names a part of a design": re.compile(
        r"architecture|design|flow|schema|interface|component|overview|layout|section|model|contract|api|protocol|"
        r"mechanism|handling|strategy|scope|storage|format|config|structure|架构|设计|流程|结构|方案|接口|阶段",
        re.IGNORECASE,
    ),
    "is a sentence": re.compile(
        r"\b(?:is|are|was|must|should|not|never|don't|doesn't|can't|when|fails?|always|means|decides)\b",
        re.IGNORECASE,
    ),
    "holds a date": re.compile(
        r"20\d\d-\d\d|\d\d:\d\d",
        re.IGNORECASE,
    ),
    "asks": re.compile(
        r"[?？]",
        re.IGNORECASE,
    ),
    "names the user": re.compile(
        r"user|用户",
        re.IGNORECASE,
    ),
    "is in two parts": re.compile(
        r"—| - |:",
        re.IGNORECASE,
    ),
    "holds code": re.compile(
        r"`",
        re.IGNORECASE,
    ),
    "tells the past": re.compile(
        r"\b\w+ed\b",
        re.IGNORECASE,
    ),
    "begins in lower case": re.compile(r"^[a-z]"),
}
