"""Teams to the end: sampled by the million, or played and kept exchange by exchange."""
