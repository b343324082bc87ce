"""The memory in git: one file of entries, revisions, decisions and refusals, merged entry by entry.

`records`, `strand`, `merging`, `reading` and `writing` know the file and no database: the merge driver needs no more.
`stored` reads the store as the same values, `checking` asks whether a change has a decision, `taking` brings a file in.
"""
