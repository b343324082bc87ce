"""From the record and checkpoints to raw notes."""
