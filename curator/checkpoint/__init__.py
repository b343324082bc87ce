"""Mind, memo, now: the engine. Pure; it neither reads files nor the store."""
