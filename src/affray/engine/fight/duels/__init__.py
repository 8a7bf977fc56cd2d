"""Two fighters to the end, exact: every state once, the one nearest to the end first."""
