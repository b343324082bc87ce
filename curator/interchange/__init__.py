"""Other formats in and out, without loss."""
