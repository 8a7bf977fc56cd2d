"""A value that fits none of several lists of words is one fault, with all allowed words."""

from __future__ import annotations

import re

import pytest

from affray.app.inputs.intake import InputError
from affray.app.odds import ask_odds
from affray.app.sources import Table


def test_a_word_of_two_lists_is_refused_once_and_in_plain_words() -> None:
    sheet = {"attacker": {"like": "fighter"}, "defender": {"like": "squire", "resist": ["magic"]}}
    with pytest.raises(InputError) as error:
        ask_odds("affinity", Table(sheet))
    assert str(error.value).count("magic") == 1
    assert re.search(r"defender\.resist\.0: 'magic'; allowed: 'slashing', ", str(error.value))
    assert str(error.value).endswith("'psychic', 'physical', 'elemental' or 'mystical'")
    assert "literal" not in str(error.value)
