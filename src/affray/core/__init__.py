"""The language that rules are written in. Knows no game and does no input or output."""
