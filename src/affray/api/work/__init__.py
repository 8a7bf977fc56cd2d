"""Worker processes: questions that take long are answered beside the server, never in it."""
