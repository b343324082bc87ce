"""What a markdown memory file offers: statements alone, inventories whole, everything else left where it stands."""

import pytest

from curator.harvest.memory.prose import read
from curator.vocab import Kind


def texts(markdown: str) -> list[str]:
    """The candidates' texts, in order."""
    return [candidate.text for candidate in read(markdown).candidates]


def test_each_rule_of_a_list_is_a_candidate_with_its_line_and_heading() -> None:
    """A bullet that can stand alone becomes one candidate, and knows where it stood."""
    found = read(
        "# Shop\n\n## Logging\n\n- Use `slog`, never `print`\n- Log the order id with every error\n"
    ).candidates
    assert [(each.text, each.line, each.heading) for each in found] == [
        ("Use `slog`, never `print`", 5, "Logging"),
        ("Log the order id with every error", 6, "Logging"),
    ]


def test_nested_items_keep_the_words_of_the_item_above() -> None:
    """What is nested under a condition would mislead without it, so each carries it."""
    assert texts("- When writing migrations:\n  - never edit a released one\n  - always add a down step\n") == [
        "When writing migrations: never edit a released one",
        "When writing migrations: always add a down step",
    ]


def test_a_statement_with_details_under_it_stays_one() -> None:
    """Nested details of a full sentence are part of it."""
    text = "- Deploy only from the release branch\n  - tags are made by the pipeline\n  - nobody pushes tags by hand\n"
    (only,) = texts(text)
    assert only.startswith("Deploy only from the release branch\n") and "nobody pushes" in only


def test_a_lead_in_that_forbids_goes_with_each_item() -> None:
    """A prohibition is not lost when its list is taken apart."""
    assert texts(
        "Never commit:\n\n- files with customer data in them\n- generated files that the build makes anew\n"
    ) == [
        "Never commit: files with customer data in them",
        "Never commit: generated files that the build makes anew",
    ]


def test_an_inventory_is_one_candidate_and_never_torn_apart() -> None:
    """Paths with a gloss say something together only."""
    found = read("## Layout\n\n- `api/` - routes\n- `core/` - rules of pricing\n- `web/` - pages\n").candidates
    assert [(each.whole, each.text.count("\n")) for each in found] == [(True, 3)]
    assert found[0].kind is Kind.DESIGN


def test_the_steps_of_a_procedure_stay_together_and_numbered_rules_do_not() -> None:
    """A numbered list is one procedure unless its items are rules of their own."""
    steps = "To release:\n\n1. Bump the version\n2. Run `make dist`\n3. Upload the wheel\n"
    rules = "1. Always write the test first\n2. Never skip the review\n3. Do not push to main\n"
    assert (len(texts(steps)), len(texts(rules))) == (1, 3)


@pytest.mark.parametrize(
    ("markdown", "what"),
    [
        ("```sh\nmake test\nrm -rf never always must\n```\n", "code block"),
        ("| command | must |\n| --- | --- |\n| `x` | never always |\n", "table"),
        ("---\ntitle: Always never\n---\n", "front matter"),
        ("<!-- always do\nnever forget -->\n", "comment"),
        ("## Current status\n\n- Never finished the parser of orders\n", "status"),
        ("## TODO\n\n- Always fix the parser of orders\n", "status"),
        ("- [ ] write the parser of the orders\n", "task"),
        ("- [Guide](docs/guide.md) - how things are done\n", "pointer"),
        ("@docs/rules.md\n", "pointer"),
        ("This file provides guidance to coding agents in this repository.\n", "what the file is for"),
        ("The shop grew over the years and many people have worked on it with joy.\n", "prose"),
        ("> Somebody once said that all of this is temporary.\n", "quotation"),
        (
            "<!-- BEGIN OTHER TOOL v1 -->\n- Always use the tracker for work\n<!-- END OTHER TOOL -->\n",
            "block of another tool",
        ),
    ],
)
def test_what_is_no_memory_is_left_and_counted(markdown: str, what: str) -> None:
    """Code, tables, status, pointers and other tools' blocks give no candidate, and the report says what they were."""
    found = read(markdown)
    assert (found.candidates, found.counts) == ((), {what: 1})


@pytest.mark.parametrize("end", ["<!-- curator:end -->\n", ""])
def test_our_own_block_is_never_read_back(end: str) -> None:
    """What an export wrote into a file is no evidence, also where the end mark was lost."""
    block = f"<!-- curator:begin -->\n- [mem-1] lesson: Always use pnpm here\n- [mem-2] lesson: Never use npm\n{end}"
    assert texts(f"- Keep the changelog short\n\n{block}\n\n- Use tabs in Makefiles only\n") == [
        "Keep the changelog short",
        "Use tabs in Makefiles only",
    ]


def test_a_mark_inside_a_code_block_begins_nothing() -> None:
    """A sample of our block in a fence does not hide what follows."""
    assert texts("```\n<!-- curator:begin -->\n```\n\n- Use tabs in Makefiles only\n") == ["Use tabs in Makefiles only"]


@pytest.mark.parametrize(
    ("heading", "kind"),
    [("Gotchas", Kind.LESSON), ("Coding conventions", Kind.PATTERN), ("My preferences", Kind.CORRECTION),
     ("Decisions", Kind.DECISION), ("注意事项", Kind.LESSON), ("代码规范", Kind.PATTERN)],
)  # fmt: skip
def test_the_heading_hints_at_the_kind(heading: str, kind: Kind) -> None:
    """What a list stands under tells its kind, in both languages."""
    assert read(f"## {heading}\n\n- Orders are kept in the table of the shop\n").candidates[0].kind is kind


def test_a_rule_among_facts_is_no_deferred_knowledge() -> None:
    """A heading that speaks of design makes facts a design, and leaves a prohibition what it is."""
    text = (
        "## Architecture\n\n- The router never calls the database\n- The router keeps its table in memory and on disk\n"
    )
    assert [each.kind for each in read(text).candidates] == [Kind.PATTERN, Kind.DESIGN]


def test_an_order_in_a_file_that_agents_read_is_a_pattern_and_a_choice_is_not() -> None:
    """What agents are told in every session stays with what is handed over; a told decision is left to the sweep."""
    text = "- Use pnpm, never npm\n- We decided on PostgreSQL because orders need transactions\n"
    assert [each.kind for each in read(text).candidates] == [Kind.PATTERN, None]


def test_an_explicit_marker_names_the_kind() -> None:
    """`lesson:` in front of a line counts before any heading."""
    (only,) = read("## Decisions\n\n- lesson: The sandbox rejects amounts over 100\n").candidates
    assert (only.text, only.kind, only.marked) == ("The sandbox rejects amounts over 100", Kind.LESSON, True)


def test_chinese_lists_without_markdown_marks_are_lists() -> None:
    """`1、` and `•` begin items too, also right below a list."""
    assert texts("- 数据库迁移不要手动修改\n1、所有接口返回统一的错误格式\n2、不要在控制器里写 SQL\n") == [
        "数据库迁移不要手动修改",
        "所有接口返回统一的错误格式",
        "不要在控制器里写 SQL",
    ]


def test_chinese_conditions_labels_and_lines() -> None:
    """The words above go along, a heading's label has its own colon, and lines that end a sentence are statements."""
    assert texts("- 编写数据库迁移时：\n  - 不要修改已经发布的迁移\n  - 必须同时提供回滚脚本\n") == [
        "编写数据库迁移时：不要修改已经发布的迁移",
        "编写数据库迁移时：必须同时提供回滚脚本",
    ]
    assert texts("## 技术栈\n\n- Go 1.22\n- Redis 7\n") == ["技术栈：\n- Go 1.22\n- Redis 7"]
    assert texts("提交代码之前请先运行 `make test`。\n接口的超时时间为 30 秒。\n") == [
        "提交代码之前请先运行 `make test`。",
        "接口的超时时间为 30 秒。",
    ]


def test_rules_one_a_line_are_told_from_a_wrapped_paragraph() -> None:
    """Lines that each lay down a rule are items; a sentence over several lines is one."""
    assert len(texts("Never commit secrets.\nAlways ask before deleting data.\n")) == 2
    assert texts("Always run the whole suite before you push,\nbecause the pipeline takes an hour.\n") == [
        "Always run the whole suite before you push,\nbecause the pipeline takes an hour."
    ]


def test_a_record_of_a_mistake_is_one_candidate_under_its_title() -> None:
    """Labelled lines of one section belong together."""
    record = "**Mistake**: cached by user.\n**Cause**: two tenants.\n**Rule**: key by tenant.\n"
    text = f"# Lessons\n\n## Stale cache\n\n{record}"
    (only,) = read(text, Kind.LESSON, lessons=True).candidates
    assert (only.title, only.whole) == ("Stale cache", True) and "key by tenant" in only.text


def test_a_short_code_block_goes_with_the_words_that_announce_it() -> None:
    """`Run one test with:` says nothing without the block below."""
    (only,) = read("Run a single test with:\n\n```bash\npytest -k NAME\n```\n").candidates
    assert only.text.endswith("```bash\npytest -k NAME\n```") and only.whole


def test_the_scope_of_a_rule_file_stands_in_each_rule() -> None:
    """A rule for some files only would mislead without saying so."""
    text = "---\nglobs: src/**/*.ts\nalwaysApply: false\n---\n- Use strict null checks in every file\r\n"
    assert texts(text) == ["For `src/**/*.ts`: Use strict null checks in every file"]


def test_emphasis_goes_and_globs_and_code_stay() -> None:
    """Bold marks are no part of a statement; `**` in a glob is."""
    assert texts("- **Errors**: never swallow them in src/**/*.go or `a ** b`\n") == [
        "Errors: never swallow them in src/**/*.go or `a ** b`"
    ]


@pytest.mark.parametrize(
    "text",
    ["", "\ufeff", "- ", "#", "---\n", "```", "<!-- begin", "- " * 5_000, "> " * 5_000, "|" * 5_000, "**" * 5_000,
     "\x00\x01\u2028\u2029\x85", "- \ud83d", "<curator-memory>\n", "   - a\n- b\n      - c\n", "[" * 5_000],
)  # fmt: skip
def test_no_text_raises(text: str) -> None:
    """Whatever the file holds, reading it ends."""
    read(text)
