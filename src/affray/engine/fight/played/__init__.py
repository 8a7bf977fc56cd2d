"""Fights that are played exchange by exchange, and kept so that they can be played again."""
