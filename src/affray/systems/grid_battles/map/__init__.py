"""The map of a game: hexes, who may go and see where, and pictures of it."""
