"""The HTTP API: JSON in, views out, and the processes that work for it."""
