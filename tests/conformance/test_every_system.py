"""Every registered system keeps the laws of `affray.testing`."""

from __future__ import annotations

import pytest

from affray.app.registry import system_named
from affray.testing import Law, Material, laws
from tests.conformance.holding import keeps, material, over
from tests.outside import feint
from tests.scenarios import SHIPPED, SYSTEMS, ended, example


@over("documents", "places", "hints", "sessions", "examples", "rulings", "keys", "next")
def test_law(system: str, law: Law, part: tuple[int, int]) -> None:
    keeps(system, law, part)


@pytest.mark.parametrize("law", laws(), ids=str)
def test_a_law_has_something_to_look_at(law: Law) -> None:
    """In some system at least; a law that never looks at anything would never be broken.

    No shipped system has decisions under cover; the feint has.
    """
    looked_at = [*map(material, SYSTEMS), Material(feint.SYSTEM)]
    assert any(next(iter(law.over(found)), None) for found in looked_at)


@pytest.mark.parametrize("system", SHIPPED)
def test_for_most_keys_the_play_is_known_that_shows_that_they_matter(system: str) -> None:
    """For the others plays are searched, which takes ten times as long."""
    known = material(system)
    keys = [
        str(case.thing) for law in laws(("keys",)) if law.name.startswith("every-key")
        for case in law.over(known)
    ]  # fmt: skip
    unknown = [key for key in keys if key not in known.witnesses]
    assert len(unknown) <= len(keys) / 8, "run: python -m tests.conformance.record"


@pytest.mark.parametrize("system", SHIPPED)
def test_no_clause_of_the_text_itself_is_left_for_later(system: str) -> None:
    for clause in system_named(system).clauses.values():
        assert clause.source != "main text" or clause.status != "not yet", clause.id


def test_random_playthroughs_differ() -> None:
    """Laws would prove little if every seed gave the same game."""
    game = example("eclipse-phase", "jinx-shoots").game
    games = {ended(game, seed).answers for seed in range(20)}
    assert len(games) > 10
