"""Words beside faces are told in the order in which the dice lie."""

import re

import pytest

from affray.engine.exchange.session import LogLine
from tests.conformance.holding import material
from tests.scenarios import SHIPPED

PART = r"(?:-?\d+|[a-z]+!?)(?: [a-z]+!?)?"
LISTED = re.compile(rf"(?:^|(?<=: )|(?<=\. )){PART}(?:, {PART})+(?=\.| \(|$)")


def _out_of_line(line: LogLine) -> str:
    """A list in the account of a roll with one part for each die, in another order; "": none."""
    faces = [str(face) for face in line.faces]
    for found in LISTED.finditer(line.says):
        parts = found[0].split(", ")
        told = [part.split()[0] for part in parts]
        if len(parts) != len(faces) or told == faces:
            continue
        if sorted(told) == sorted(faces) or any(not word.lstrip("-").isdigit() for word in told):
            return found[0]
    return ""


def test_a_list_in_another_order_is_seen() -> None:
    line = LogLine("roll", (), "", "attacker", "3d6", (1, 5, 1), (), "", "", (), "")
    sorted_words = line._replace(says="Attack dice: miss, miss, sure (5 or more).")
    assert _out_of_line(sorted_words) == "miss, miss, sure"
    assert _out_of_line(line._replace(says="Dice: 1, 1, 5.")) == "1, 1, 5"
    assert not _out_of_line(line._replace(says="1 miss, 5 hit, 1 miss (5 or more hits)."))


@pytest.mark.parametrize("system", SHIPPED)
def test_no_example_lists_its_dice_in_another_order(system: str) -> None:
    wrong = {
        f"{name}, {line.step}: {line.faces} {line.says}"
        for name, session in material(system).sessions()
        for line in session.log
        if len(line.faces) > 1 and _out_of_line(line)
    }
    assert not wrong, sorted(wrong)[:5]
