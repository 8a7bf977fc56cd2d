"""What a system says beyond its steps."""

from __future__ import annotations

from dataclasses import dataclass

from affray.core.fight import renamed


@dataclass(frozen=True)
class Sheet:
    name: str
    hp: int


@dataclass(frozen=True)
class Duel:
    attacker: Sheet
    defender: Sheet
    distance: int = 1


def test_renamed_changes_names_and_nothing_else() -> None:
    husk = Sheet("Husk", 3)
    found = renamed(Duel(husk, husk.__class__("Husk", 4), 7), "Husk 1", "Husk 2")
    assert found == Duel(Sheet("Husk 1", 3), Sheet("Husk 2", 4), 7)


def test_what_one_does_to_oneself_stays_one_sheet() -> None:
    ada = Sheet("Ada", 5)
    found = renamed(Duel(ada, ada), "Ada 2", "Ada 2")
    assert found.attacker is found.defender
    assert found.attacker.name == "Ada 2"
