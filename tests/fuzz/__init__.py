"""Fuzzers: inputs of every kind, and laws over whatever of them is accepted.

    python -m tests.fuzz --seconds 1800        as long as one likes
    make fuzz                                  the same, half an hour

Every case is made from one seed, which is printed when a case fails: `python -m tests.fuzz
--only exchanges --seed 123456 --cases 1` plays it again.
"""
