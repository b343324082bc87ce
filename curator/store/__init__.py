"""Tables, engine, queries, dialect: the only part that speaks SQL."""
