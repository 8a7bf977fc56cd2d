"""affray: tabletop combat, written once: played step by step, priced exactly, solved."""
