"""Teams to the end, sampled by the million."""
