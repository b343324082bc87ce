"""Which commands a client will run for an event: from its settings files and from its enabled plugins.

Reads only, and passes over what it cannot read: the hook uses this to see `bd prime`, `doctor` to see a second
curator. Standard library only.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.hosts.claude import home_folder
from curator.hosts.jsonc import loads


@dataclass(frozen=True)
class Registered:
    """One command of one event, and the file that registers it; `plugin` is true for a plugin's manifest."""

    path: Path
    event: str
    command: str
    plugin: bool = False


def claude_settings(start: Path, home: Path, env: Mapping[str, str] | None = None) -> list[Path]:
    """The settings files that hold in a folder: the person's, then each project's from the folder upwards."""
    found = [home_folder(env, home) / "settings.json"]
    for folder in (start, *start.parents):
        if folder == home:
            break
        found += [folder / ".claude" / "settings.json", folder / ".claude" / "settings.local.json"]
    return found


def claude_commands(start: Path, home: Path, env: Mapping[str, str] | None = None) -> Iterator[Registered]:
    """Every hook command that Claude Code has for a session started in a folder."""
    for path in claude_settings(start, home, env):
        yield from _commands(path, _object(path).get("hooks"), plugin=False)
    for root in enabled_plugins(start, home, env):
        yield from _plugin_commands(root)


def enabled_plugins(start: Path, home: Path, env: Mapping[str, str] | None = None) -> Iterator[Path]:
    """The folders of the plugins that are installed and switched on for a session started in a folder."""
    enabled: dict[str, Any] = {}
    for path in claude_settings(start, home, env):
        enabled |= _dict(_object(path).get("enabledPlugins"))
    plugins = home_folder(env, home) / "plugins"
    record = _dict(_object(plugins / "installed_plugins.json").get("plugins"))
    for name in [name for name, on in enabled.items() if on is True]:
        places = record.get(name, [])
        roots = [_dict(place).get("installPath") for place in (places if isinstance(places, list) else [places])]
        plugin, _, market = name.partition("@")
        yield from [Path(root) for root in roots if isinstance(root, str)] or (
            plugins / "cache" / market / plugin
        ).glob("*")


def _plugin_commands(root: Path) -> Iterator[Registered]:
    """The hooks of a plugin: its `hooks/hooks.json`, and those that its manifest names or holds."""
    manifest = root / ".claude-plugin" / "plugin.json"
    named = _object(manifest).get("hooks")
    if isinstance(named, dict):
        yield from _commands(manifest, named.get("hooks", named), plugin=True)
    paths = {root / "hooks" / "hooks.json"} | {root / name for name in _strings(named)}
    for path in sorted(paths):
        yield from _commands(path, _object(path).get("hooks"), plugin=True)


def _commands(path: Path, hooks: Any, *, plugin: bool) -> Iterator[Registered]:
    for event, groups in _dict(hooks).items():
        for group in groups if isinstance(groups, list) else []:
            inner = _dict(group).get("hooks")
            for hook in inner if isinstance(inner, list) else []:
                if isinstance(command := _dict(hook).get("command"), str):
                    yield Registered(path, event, command, plugin)


def _object(path: Path) -> dict[str, Any]:
    try:
        return _dict(loads(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError):
        return {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str)]
