"""Where the outside comes in: tokenizer, embedding model, language model, clock."""
