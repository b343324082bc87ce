"""The command line: words in, lines out. The only part that speaks typer.

Add a command: a row in `curator/cli/table.py`, and in its module

    app = typer.Typer()

    @app.command("search")
    def search(ctx: typer.Context, …) -> None:
        call: Call = ctx.obj

A group such as `db` is `app.add_typer(db, name="db")`. `-C DIR` and `--user` are taken before and after the
command's name and stand in `ctx.obj`; a command that has a `--user` of its own keeps it. Failures are raised as
`CuratorError`; `curator.__main__` prints them.
"""
