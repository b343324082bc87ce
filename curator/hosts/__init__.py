"""What is known about each client: where its files are, who typed what, what its hooks accept."""
