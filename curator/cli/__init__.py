"""The command line: words in, lines out. The only part that speaks typer."""
