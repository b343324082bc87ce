"""Conversations as values: reading a client's file record by record, without knowing the client."""
