"""What `curator doctor` looks at, one module a subject; each finding says what mends it."""
