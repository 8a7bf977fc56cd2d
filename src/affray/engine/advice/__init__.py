"""Advice where exact is too much: bounded look-ahead."""
