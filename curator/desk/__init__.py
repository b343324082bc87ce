"""Everything a person's interface may do and see. One transaction a call; frozen values out."""
