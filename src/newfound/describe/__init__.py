"""What a fit is about, in words: terms, examples, neighbours, names and reasons of its classes."""
