"""What the next session is handed: parts, caps, frame, text. Pure; standard library only (the hook uses it)."""
