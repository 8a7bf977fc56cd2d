"""Brute-force oracles: the rules counted out face by face, sharing no code with affray.

Standard library only. Slow, plain and obviously right: every oracle walks all rolls, adds up
`Fraction`s and is itself checked against worked examples and exact odds in the tests beside them.
"""
