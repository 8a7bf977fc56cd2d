"""What questions come to as formulas of the unknown; plain Python with the value is the oracle."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count
from typing import Any, NamedTuple

import pytest

from affray.core.sheet import sheet
from affray.core.unknown import OWN_UNKNOWN, UNKNOWN, Looked, is_unknown
from affray.engine.fight import formulas as formulas_of
from affray.engine.fight.formulas import Formula, Formulas


class Wounds(NamedTuple):
    hd: int
    lost: int


@sheet
class Terms:
    struck: Wounds
    other: int = 3

    @cached_property
    def is_hurt(self) -> bool:
        return self.struck.hd < 4


@sheet
class Whole:
    terms: Terms


class Facts(NamedTuple):
    terms: Terms
    burn: int = 0


Question = Callable[[Any], Any]


def _value(formula: Formula | None, **values: Any) -> Any:
    """What a formula comes to with these values."""
    assert formula is not None
    if not isinstance(formula, tuple):
        return formula
    head, *rest = formula
    if head == "field":
        return values[str(rest[0])]
    if head == "attribute":
        return getattr(_value(rest[0], **values), str(rest[1]))  # type: ignore[arg-type]
    if isinstance(head, tuple):  # a comparison, with what no and yes say
        return _value(rest[bool(_value(head, **values))], **values)  # type: ignore[arg-type]
    parts = [_value(one, **values) for one in rest]  # type: ignore[arg-type]
    return vars(operator)[str(head)](*parts)


def _facts(hd: Any, lost: Any, burn: int = 0) -> Facts:
    return Facts(Terms(struck=Wounds(hd, lost)), burn)


QUESTIONS: dict[str, Question] = {
    "at most all there are": lambda x: min(3, x.terms.struck.hd) - x.burn,
    "never below none": lambda x: max(0, x.terms.struck.hd - x.terms.other),
    "twice": lambda x: 2 * x.terms.struck.hd + x.terms.struck.hd * 3 - Fraction(1, 2),
    "from above": lambda x: 10 - x.terms.struck.hd,
    "minus": lambda x: -x.terms.struck.hd,
    "a chance": lambda x: int(x.terms.struck.hd <= 2),
    "two fields": lambda x: min(x.terms.struck.hd, x.terms.struck.lost + x.burn),
    "between": lambda x: 1 if 1 <= x.terms.struck.hd < 4 else 0,
    "equal": lambda x: 5 if x.terms.struck.hd == 3 else x.terms.struck.hd,
    "unequal": lambda x: int(x.terms.struck.hd != x.terms.struck.lost),
    "any at all": lambda x: int(not x.terms.struck.hd),
    "either": lambda x: (x.terms.struck.hd or 7) + (x.terms.struck.lost and 2),
    "nothing of it": lambda x: x.burn + 4,
    "a property": lambda x: int(x.terms.is_hurt),
    "more": lambda x: 1 + (x.terms.struck.hd > 2) + (x.terms.struck.hd >= 4),
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_formula_says_what_the_question_says(question: Question) -> None:
    formulas = Formulas(question)
    for burn in (0, 2):
        formula = formulas.formula(_facts(UNKNOWN, UNKNOWN, burn))
        for hd in range(-2, 7):
            for lost in range(4):
                assert _value(formula, hd=hd, lost=lost) == question(_facts(hd, lost, burn))


def test_sums_and_products_are_the_same_from_either_side() -> None:
    one, other = (
        Formulas(question).formula(_facts(UNKNOWN, 0))
        for question in (
            lambda x: 2 * (3 + x.terms.struck.hd),
            lambda x: (x.terms.struck.hd + 3) * 2,
        )
    )
    assert one == other == ("mul", ("add", ("field", "hd"), 3), 2)


def test_ends_that_come_to_the_same_have_one_formula() -> None:
    formulas = Formulas(QUESTIONS["at most all there are"])
    one, other = (formulas.formula(_facts(UNKNOWN, lost)) for lost in (1, 2))
    assert one == other
    assert one != formulas.formula(_facts(UNKNOWN, 1, burn=1))


def test_a_comparison_without_consequence_is_none() -> None:
    formulas = Formulas(lambda x: (min(x.terms.struck.hd, 2) and 3) or 3)
    assert formulas.formula(_facts(UNKNOWN, 1)) == 3


def test_a_property_that_keeps_what_it_found_is_compared_each_time() -> None:
    formulas, facts = Formulas(QUESTIONS["a property"]), _facts(UNKNOWN, 0)
    first = formulas.formula(facts)
    assert formulas.formula(facts) == first
    assert isinstance(first, tuple)
    assert "is_hurt" not in vars(facts.terms)
    within = Formulas(lambda x: int(x.terms.is_hurt))
    assert [within.formula(Whole(terms=facts.terms)) for _ in range(2)] == [first, first]


def test_an_unknown_record_is_asked_for_its_fields() -> None:
    formula = Formulas(lambda x: min(2, x.terms.struck.hd)).formula(
        Facts(Terms(struck=UNKNOWN))  # type: ignore[arg-type]  # what is unknown stands for anything
    )
    for hd in range(5):
        assert _value(formula, struck=Wounds(hd, 0)) == min(2, hd)


@lru_cache
def _remembered(hd: int) -> int:
    return int(hd < 2)


def _looped(hd: int) -> int:
    steps = 0
    while hd > 0:
        hd, steps = hd - 1, steps + 1
    return steps


@pytest.mark.parametrize(
    "question",
    [
        _remembered,
        lambda hd: len(range(hd)),
        lambda hd: int(isinstance(hd, int)),
        lambda hd: int(hd == "all"),
        lambda hd: hd // 2,
        lambda hd: hd.bit_length(),
        lambda hd: hd * 0.5,
        lambda hd: [1, 2, 3][hd],
        lambda hd: int(f"{hd}"),
        lambda hd: {1: 2}.get(hd, 0),
        lambda hd: hd._private,
        lambda hd: 1 // 0 if hd > 2 else 0,
        _looped,
        lambda hd: sum(hd > one for one in range(9)),
        lambda hd: next(one for one in count() if hd < -one),
    ],
)
def test_other_looks_have_no_formula(question: Callable[[Any], Any]) -> None:
    formulas = Formulas(lambda x: question(x.terms.struck.hd))
    facts = _facts(UNKNOWN, 0)
    assert formulas.formula(facts) is None
    assert is_unknown(facts.terms.struck.hd)


def test_a_sign_of_another_question_is_a_look() -> None:
    kept: list[Any] = []

    def keeps(x: Any) -> Any:
        kept.append(x.terms.struck.hd)
        return x.terms.struck.hd - 1

    of_another = Formulas(keeps)
    of_another.formula(_facts(UNKNOWN, 0))
    plain, sign = kept  # asked again once it is known what is unknown
    assert is_unknown(plain)
    assert of_another.formula_of(sign) == ("field", "hd")
    for other in (plain, sign):
        formulas = Formulas(lambda x, other=other: x.terms.struck.hd + other)  # type: ignore[misc]
        assert formulas.formula(_facts(UNKNOWN, 0)) is None
    with pytest.raises(Looked):
        hash(sign)


def test_fields_that_are_unknown_later_are_found_too() -> None:
    formulas = Formulas(QUESTIONS["two fields"])
    first = formulas.formula(_facts(UNKNOWN, 2))
    second = formulas.formula(_facts(UNKNOWN, UNKNOWN))
    for hd in range(4):
        assert _value(first, hd=hd) == min(hd, 2)
        for lost in range(4):
            assert _value(second, hd=hd, lost=lost) == min(hd, lost)


def test_a_question_without_formulas_is_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked twice the first time: what is unknown has to be found."""
    monkeypatch.setattr(formulas_of, "_ENOUGH", 3)
    asked = 0

    def question(x: Any) -> int:
        nonlocal asked
        asked += 1
        return x.terms.struck.hd // 2  # type: ignore[no-any-return]

    formulas = Formulas(question)
    for _ in range(9):
        assert formulas.formula(_facts(UNKNOWN, 0)) is None
    assert asked == 1 + 3


@pytest.mark.parametrize("ends", [8, 9])
def test_a_question_that_comes_to_many_things_has_no_formula(ends: int) -> None:
    """So many ends with one comparison less."""

    def question(x: Any) -> int:
        return next((one for one in range(ends - 1) if x.terms.struck.hd <= one), ends)

    formula = Formulas(question).formula(_facts(UNKNOWN, 0))
    assert (formula is None) == (ends > 8)
    for hd in range(10 * (ends <= 8)):
        assert _value(formula, hd=hd) == (hd if hd < ends - 1 else ends)


def test_what_is_unknown_of_whoever_acts_stays_unknown() -> None:
    """Nothing is said of it: a question that looks at it has no formula."""
    own: Any = OWN_UNKNOWN
    facts = Facts(Terms(struck=Wounds(UNKNOWN, own)), burn=own)  # type: ignore[arg-type]
    formula = Formulas(lambda x: x.terms.struck.hd - 1).formula(facts)
    assert _value(formula, hd=5) == 4
    for question in (lambda x: x.burn + 1, lambda x: x.terms.struck.lost + 1):
        assert Formulas(question).formula(facts) is None
