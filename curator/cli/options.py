"""Options and arguments that several deciding commands share."""

from typing import Annotated

import typer

from curator.vocab import Kind, Route

Op = Annotated[str | None, typer.Option("--op", help="Only this operation: add, update, merge, tombstone, …")]
KindName = Annotated[str | None, typer.Option("--kind", help="Only this kind.")]
RouteName = Annotated[str | None, typer.Option("--route", help="Only this route: injected or deferred.")]
Labels = Annotated[list[str] | None, typer.Option("--label", help="Only with this label; several mean AND.")]
Match = Annotated[list[str] | None, typer.Option("--match", help="Only where title or text holds these words.")]
AtLeast = Annotated[float | None, typer.Option("--at-least", help="Only with at least this confidence, 0..1.")]
Below = Annotated[float | None, typer.Option("--below", help="Only with less confidence than this.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Ids = Annotated[list[str], typer.Argument(metavar="ID", help="A proposal's id or its beginning; ID@REV is exact.")]
EntryId = Annotated[str, typer.Argument(metavar="ID", help="An entry's id or its beginning.")]
TextFile = Annotated[str | None, typer.Option("--text", metavar="FILE", help="The text instead; - reads stdin.")]
NewTitle = Annotated[str | None, typer.Option("--title", help="Another title.")]
NewKind = Annotated[Kind | None, typer.Option("--kind", help="Another kind.")]
NewRoute = Annotated[Route | None, typer.Option("--route", help="Another route.")]
NewLabels = Annotated[list[str] | None, typer.Option("--label", help="These labels instead; several.")]
