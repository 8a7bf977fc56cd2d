"""Exchange after exchange to the end: the course of fights; exact, sampled, or played."""
