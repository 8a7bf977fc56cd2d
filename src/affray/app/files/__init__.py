"""What is kept in files: saved games, rosters, proofs; and how files are read and written."""
