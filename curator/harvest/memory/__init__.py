"""Memory files that people and agents keep beside the code, read as candidates for notes. Pure but for `files`."""
