"""The benchmark workloads solved with the libraries that a player would otherwise reach for.

Each module solves the same questions in one way: `icepool_tuned`, `icepool_naive`, `dyce_tuned`,
`lea_tuned`, and `plain` (Python alone, written by hand for exactly these questions). W1 is an
Eclipse Phase attack of 70 against 30 with 3d10 damage and armor 10; W2 an Empty Earth attack of
3d8 against 2d6 Dodge dice with one reroll; W2L the same with 3d12 against 3d10 and any rerolls; W3
the joint count of dice of 7 or more and of ones among n d10. `w1()`, `w2()`, `w2l()` and `w3()`
give plain dicts and Fractions and must agree exactly between modules; `w1_raw()` and `w3_raw()`
stop at the library's own type, which `normalise` turns into a dict, so that a clock can leave out
the conversion; `clear()` drops every cache of the library that can be dropped. What a library does
not know - the rules of a test, whose choice it is - stands in `rules` and `choices`, shared by all
modules except `plain`, which is written independently.
"""
