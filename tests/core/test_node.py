"""Nodes: filling a field, offering options, places as data."""

import pickle
from typing import Any, NamedTuple

import pytest

from affray.core.errors import RulesError
from affray.core.node import (
    At,
    Choice,
    End,
    Go,
    Node,
    Offer,
    Option,
    choose,
    facts,
    fill,
    fill_each,
    keeps_hash,
)
from affray.core.step import step


class Light(NamedTuple):
    """A lamp."""

    bright: int = 0
    colour: str = "white"


class Door(NamedTuple):
    """Something else with a field of the same name, elsewhere."""

    colour: str = "red"
    bright: int = 0


@step("TY-1")
def shine(x: Light) -> Node[Light]:
    """The lamp shines."""
    return End(x)


@step("TY-2")
def fade(x: Light) -> Node[Light]:
    """The lamp fades."""
    return Go(shine, x)


@step("TY-3")
def shut(x: Door) -> Node[Door]:
    """The door shuts."""
    return End(x)


# -- places ----------------------------------------------------------------------------------


def test_places_are_data() -> None:
    assert At(shine, Light(1)) == At(shine, Light(1))
    assert hash(At(shine, Light(1))) == hash(At(shine, Light(1)))
    assert At(shine, Light(1)) != At(fade, Light(1))
    assert At(shine, Light(1)) != At(shine, Light(2))
    assert "shine" in repr(At(shine, Light(1)))


def test_go_tells_where_it_goes_on() -> None:
    assert Go(shine, Light(3)).at == At(shine, Light(3))


# -- filling ---------------------------------------------------------------------------------


def test_filling_changes_one_field() -> None:
    before = At(shine, Light(1, "red"))
    after = fill(before, "bright", 7)
    assert after == At(shine, Light(7, "red"))
    assert type(after.facts) is Light
    assert before.facts == Light(1, "red")


def test_filling_finds_the_field_of_each_kind_of_facts() -> None:
    assert fill(At(shine, Light()), "colour", "blue").facts == Light(0, "blue")
    assert fill(At(shut, Door()), "colour", "blue").facts == Door("blue", 0)
    assert fill(At(shine, Light()), "colour", "green").facts == Light(0, "green")


def test_filling_each_is_filling_one_after_the_other() -> None:
    at = At(shine, Light())
    assert fill_each(at, "bright", (7, 8)) == [fill(at, "bright", n).facts for n in (7, 8)]
    assert fill_each(at, "bright", ()) == []
    assert type(fill_each(at, "bright", (7,))[0]) is Light
    with pytest.raises(RulesError, match="no field 'warm'"):
        fill_each(at, "warm", (7,))


def test_filling_an_unknown_field_names_step_and_facts() -> None:
    with pytest.raises(RulesError, match=r"on the way to step shine: Light has no field 'heat'"):
        fill(At(shine, Light()), "heat", 1)


def test_filling_facts_without_names_is_refused() -> None:
    bare: Any = At(shine, (1, 2))
    with pytest.raises(RulesError, match="on the way to step shine: tuple has no field 'bright'"):
        fill(bare, "bright", 1)


# -- offering --------------------------------------------------------------------------------

WHITE = Option("white", At(shine, Light(1)))
RED = Option("red", At(shine, Light(1, "red")), spends=1, words="turn it red")
SAME = Option("pale", At(shine, Light(1)), spends=1)


def test_options_are_offered_in_order() -> None:
    node = choose("a", "which?", [RED, WHITE], (("bright", 1),), (("blue", "no filter"),))
    assert node == Choice("a", "which?", (RED, WHITE), (("bright", 1),), (("blue", "no filter"),))


def test_options_that_lead_to_equal_facts_are_offered_once() -> None:
    node = choose("a", "which?", iter([WHITE, SAME, RED]))
    assert isinstance(node, Choice)
    assert node.options == (WHITE, RED)


def test_equal_facts_at_another_step_are_another_option() -> None:
    later = Option("later", At(fade, Light(1)))
    node = choose("a", "which?", [WHITE, later])
    assert isinstance(node, Choice)
    assert node.options == (WHITE, later)


@pytest.mark.parametrize("options", [[WHITE], [WHITE, SAME], [SAME, WHITE, SAME]])
def test_one_option_alone_is_taken(options: list[Option[Light]]) -> None:
    assert choose("a", "which?", options) == Go(shine, Light(1))


def test_one_option_beside_closed_ones_stays_a_choice() -> None:
    node = choose("a", "which?", [WHITE], closed=(("red", "no filter"),))
    assert node == Choice("a", "which?", (WHITE,), (), (("red", "no filter"),))


@pytest.mark.parametrize("closed", [(), (("red", "no filter"),)])
def test_no_option_is_refused(closed: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(RulesError, match=r"'which\?' offers no option; must offer at"):
        choose("a", "which?", [], closed=closed)


def test_an_offer_collects_options_and_reasons_in_their_order() -> None:
    offer: Offer[Light] = Offer(WHITE)
    offer.close("blue", "no filter")
    offer.add("red", At(shine, Light(0, "red")), 2, "through the red glass")
    offer.close("green", "the glass is broken")
    red = Option("red", At(shine, Light(0, "red")), 2, "through the red glass")
    closed = (("blue", "no filter"), ("green", "the glass is broken"))
    assert offer.choose("a", "which?", (("bright", 1),)) == Choice(
        "a", "which?", (WHITE, red), (("bright", 1),), closed
    )


def test_an_offer_of_one_option_takes_it() -> None:
    offer: Offer[Light] = Offer()
    offer.add("white", At(shine, Light(1)))
    assert offer.choose("a", "which?") == Go(shine, Light(1))


def test_two_options_of_one_name_are_refused() -> None:
    other = Option("white", At(fade, Light(2)))
    with pytest.raises(RulesError, match="offers 'white' for different things; options must have"):
        choose("a", "which?", [WHITE, RED, other])


class Reckoning:
    """Counts how often it is hashed."""

    def __init__(self) -> None:
        self.hashed = 0

    def __hash__(self) -> int:
        self.hashed += 1
        return 7


@facts
@keeps_hash
class Ledger(NamedTuple):
    """A record that is hashed often."""

    entry: object
    page: int = 0

    @property
    def next_page(self) -> int:
        """The page after it."""
        return self.page + 1


def test_a_kept_hash_is_worked_out_once_for_each_record() -> None:
    entry = Reckoning()
    ledger = Ledger(entry)
    assert hash(ledger) == hash(ledger) == hash((entry, 0))
    assert entry.hashed == 2, "once for the record, once for the tuple"
    turned = ledger._replace(page=4)
    assert type(turned) is Ledger
    assert hash(turned) == hash((entry, 4)) != hash(ledger)


def test_a_record_with_a_kept_hash_stays_what_it_is() -> None:
    ledger = Ledger(3, page=1)
    assert (ledger.entry, ledger.next_page, Ledger._fields) == (3, 2, ("entry", "page"))
    assert ledger == (3, 1) == Ledger(3, 1)
    assert repr(ledger) == "Ledger(entry=3, page=1)"
    assert (Ledger.__doc__, Ledger.__module__) == ("A record that is hashed often.", __name__)
    hash(ledger)
    sent = pickle.loads(pickle.dumps(ledger))  # as multiprocessing does
    assert sent == ledger
    assert type(sent) is Ledger
    assert "_hash" not in vars(sent), "hashes differ from process to process"
