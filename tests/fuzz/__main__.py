"""Run the fuzzers for as long as one likes: `python -m tests.fuzz --seconds 1800`."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
import traceback
from collections import Counter

from tests.fuzz.cases import FUZZERS

SLOW_S = 15
"""Processor time of a case that counts as a finding: every one of them is bounded."""


def main() -> int:
    """Run cases of every fuzzer in turn; tell what became of them and what was found."""
    said = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    said.add_argument("--seconds", type=float, default=60, help="how long")
    said.add_argument("--cases", type=int, default=0, help="how many of each; 0: no limit")
    said.add_argument("--seed", type=int, help="the first case; the next ones count up from it")
    said.add_argument("--only", choices=sorted(FUZZERS), action="append", help="only this fuzzer")
    said.add_argument("--most", type=int, default=50, help="stop after so many findings")
    given = said.parse_args()
    first = secrets.randbits(40) if given.seed is None else given.seed
    chosen = {name: FUZZERS[name] for name in given.only or FUZZERS}
    counts: dict[str, Counter[str]] = {name: Counter() for name in chosen}
    spent = dict.fromkeys(chosen, 0.0)
    began = told = time.monotonic()
    findings, seed = 0, first
    print(f"from seed {first}", flush=True)
    while time.monotonic() - began < given.seconds and findings < given.most:
        if given.cases and seed - first >= given.cases:
            break
        for name, fuzzer in chosen.items():
            if spent[name] > 2 * min(spent[other] for other in chosen) + 1:
                continue  # every fuzzer gets its share of the time
            start = time.process_time()
            try:
                word = fuzzer(seed)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                word, findings = "FOUND", findings + 1
                where = "".join(traceback.format_exception(error)[-3:])
                print(f"\n--only {name} --seed {seed} --cases 1\n{where}", flush=True)
            took = time.process_time() - start
            if took > SLOW_S:
                findings += 1
                word = "SLOW"
                print(f"\n--only {name} --seed {seed} --cases 1: {took:.1f} s", flush=True)
            counts[name][word] += 1
            spent[name] += took
        seed += 1
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"{told - began:.0f} s, {sum(c.total() for c in counts.values()):,} cases, "
                  f"{findings} findings", flush=True)  # fmt: skip
    for name, words in counts.items():
        rows = ", ".join(f"{word} {number:,}" for word, number in words.most_common())
        print(f"{name}: {words.total():,} cases in {spent[name]:.0f} s: {rows}")
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
