#!/bin/sh
# What a new user does in the first ten minutes, in an empty folder with a throwaway home.
# Needs `curator` on PATH, HOME, CONVERSATION (a transcript) and CURATOR_DECIDE_KEY_FILE (made by a person, on a terminal).
set -eu

expect() { # expect WORDS COMMAND...: the command succeeds and prints the words
    words=$1
    shift
    printf '$ %s\n' "$*"
    "$@" >out.txt 2>&1 || { cat out.txt; echo "FAILED: $*"; exit 1; }
    cat out.txt
    grep -qF -- "$words" out.txt || { echo "NOT SAID: $words"; exit 1; }
}

git init -q .
printf 'out.txt\n' >.git/info/exclude
mkdir -p "$HOME/.claude"
printf '{\n  // mine\n  "model": "x",\n}\n' >"$HOME/.claude/settings.json"
cp "$HOME/.claude/settings.json" before.json

expect "curator init" curator
expect "would create" curator init --dry-run
expect "changed $HOME/.claude/settings.json" curator init
expect "nothing was changed" curator init
expect "hook session-start: printed" curator doctor
test -z "$(git status --porcelain .curator)"

expect "noted" curator remember "lesson: Run make check before every commit."
expect "new notes" curator harvest "$CONVERSATION"
expect "waiting" curator notes
expect "curator sweep" curator
expect "decide with: curator review" curator sweep
expect "nothing new to propose" curator sweep
expect "proposals waiting" curator proposals
curator review --plain </dev/null >out.txt 2>&1 && { echo "a full queue without a terminal must not be 0"; exit 1; }
(unset CURATOR_DECIDE_KEY_FILE; curator accept --all </dev/null >out.txt 2>&1) && { echo "nobody decided"; exit 1; }
expect "curator review" curator

expect "rejected" curator reject P-0001 --reason one-off
expect "accepted" curator accept --all
expect "make check" curator search make
id=$(curator search make --json | sed -n 's/.*"id": "\(m-[a-z0-9]*\)".*/\1/p' | head -1)
expect "make check" curator show "$id"
expect "make check" curator preview
expect "accept" curator log
command=$(sed -n 's/.*"command": "\(.* hook session-start .*\)",*$/\1/p' "$HOME/.claude/settings.json" | sed 's/\\"/"/g')
printf '{"session_id": "s", "cwd": "%s", "source": "startup"}' "$PWD" | sh -c "$command" >out.txt
grep -q "make check" out.txt
expect "open again" curator undo
expect "accepted" curator accept --all
expect "injected memory" curator status

curator export entries copy.jsonl
test -s copy.jsonl
expect "kept" curator uninstall
cmp before.json "$HOME/.claude/settings.json"
expect "removed" curator uninstall --purge
test ! -e .curator
echo "all of it worked"
