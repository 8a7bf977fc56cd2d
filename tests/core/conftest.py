"""How many random examples, and no deadline: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("affray", max_examples=60, deadline=None)
settings.load_profile("affray")
