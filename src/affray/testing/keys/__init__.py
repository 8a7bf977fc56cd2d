"""A key that is accepted matters: some value of it changes what players see."""
