"""Files: saved games, rosters and proofs, read and written safely."""
