"""Games: choices settled beforehand."""

import pytest

from affray.core.errors import AnswerError, RulesError
from affray.core.node import At, Choice, Facts, Option
from affray.engine.exchange.game import note_offers, refusal, settled_option
from tests.engine.toy import SYSTEM, Duel, choose_reroll, choose_stance, duel


def met(*options: str, closed: tuple[tuple[str, str], ...] = ()) -> Choice[Facts]:
    return Choice("attacker", "reroll?", tuple(Option(name, AT) for name in options), (), closed)


AT: At[Facts] = At(SYSTEM.step_named("choose_reroll"), Duel((0,)))


def test_settling_adds_to_what_is_settled() -> None:
    first = duel(settled={"choose_reroll": ("keep",)})
    second = first.settle({"choose_stance": ("block",)})
    third = second.settle({"choose_reroll": ("reroll", "keep")})
    assert first.settled == {"choose_reroll": ("keep",)}
    assert second.settled == {"choose_reroll": ("keep",), "choose_stance": ("block",)}
    assert third.settled == {"choose_reroll": ("reroll", "keep"), "choose_stance": ("block",)}
    assert third.start == first.start


def test_settling_an_unknown_step_lists_the_steps() -> None:
    with pytest.raises(AnswerError, match=r"toy has no step 'choose' to settle; steps: toss_coin,"):
        duel().settle({"choose": ("keep",)})


def test_settling_to_nothing_is_refused() -> None:
    with pytest.raises(AnswerError, match="choose_reroll is settled to no option; name at least"):
        duel().settle({"choose_reroll": ()})


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [(("keep",), "keep"), (("reroll", "keep"), "reroll"), (("flip", "keep"), "keep")],
)
def test_most_wanted_option_on_offer_is_taken(wanted: tuple[str, ...], taken: str) -> None:
    option = settled_option(duel().settle({"choose_reroll": wanted}), AT, met("keep", "reroll"))
    assert option is not None
    assert option.name == taken


def test_open_choice_is_nobodys() -> None:
    game = duel(settled={"choose_stance": ("block",)})
    assert settled_option(game, AT, met("keep", "reroll")) is None


def test_the_only_option_is_taken() -> None:
    option = settled_option(duel(), AT, met("keep", closed=(("reroll", "no points"),)))
    assert option is not None
    assert option.name == "keep"


def test_the_only_option_is_not_forced_on_somebody_who_settled_on_another() -> None:
    game = duel(settled={"choose_reroll": ("reroll",)})
    with pytest.raises(
        AnswerError, match=r"choose_reroll \(reroll\?\): 'reroll': no points; allowed: keep"
    ):
        settled_option(game, AT, met("keep", closed=(("reroll", "no points"),)))


def test_settled_option_that_nobody_knows() -> None:
    game = duel(settled={"choose_reroll": ("hop", "jump")})
    with pytest.raises(AnswerError, match="'jump' is not on offer; allowed: keep, reroll"):
        settled_option(game, AT, met("keep", "reroll"))


def test_choice_without_options_is_a_bug_of_the_system() -> None:
    with pytest.raises(RulesError, match="step choose_reroll offers no option"):
        settled_option(duel(), AT, met())


def test_refusal_says_why_and_what_is_allowed() -> None:
    choice = met("keep", closed=(("reroll", "no points left"),))
    assert str(refusal(AT, choice, "reroll")) == (
        "choose_reroll (reroll?): 'reroll': no points left; allowed: keep"
    )
    assert str(refusal(AT, choice, "x")) == (
        "choose_reroll (reroll?): 'x' is not on offer; allowed: keep"
    )


def test_toy_offers_what_it_says() -> None:
    poor, rich = choose_reroll(Duel((0,), 0, die=3)), choose_reroll(Duel((0,), 1, die=3))
    assert isinstance(poor, Choice)
    assert isinstance(rich, Choice)
    assert [option.name for option in poor.options] == ["keep"]
    assert [(option.name, option.spends) for option in rich.options] == [
        ("keep", 0),
        ("reroll", 1),
    ]
    assert rich.options[0].at == At(choose_stance, Duel((0,), 1, die=3))


def test_an_option_that_was_open_once_stays_so_in_notes() -> None:
    key, noted = ("attacker", "choose_blow"), dict[tuple[str, str], dict[str, bool]]()
    for more in ({"a": False, "b": False}, {"a": True}, {"a": False, "c": False}):
        note_offers(noted, {key: more})
    assert noted == {key: {"a": True, "b": False, "c": False}}
