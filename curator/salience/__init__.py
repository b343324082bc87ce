"""Which entries matter now: factors, relevance, the pick. Pure; what the hook uses is standard library only."""
