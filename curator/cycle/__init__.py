"""From the spool to proposals: what runs in the background, safe to repeat."""
