"""Games as texts for chats and virtual tabletops, where nothing that people wrote is carried out.

The shape of a message of Foundry VTT stands here as its published types have it (versions 12 and
13): the fields of a ChatMessage and of its speaker, a Roll that is evaluated, terms with a class,
and results of dice. Only an element as content is kept beside rolls.
"""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from affray.app.exports import FORMS, LONGEST, PARTS, entries_of, export
from affray.app.fight import Fight
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.app.views.accounts import Account
from affray.app.views.exchanges import PlayView
from affray.core.errors import AnswerError, UnknownNameError
from affray.engine.exchange.session import LogLine, Thrown
from tests.app.views.test_said import FIGHTS, gone_on, played

HOSTILE = "[[1d20]] @everyone @UUID[x] **Bo** <b>{{a=b}}</b> %{x|y} `c` #m &{template:x} |s| _i_"
"""A name that is a roll, a call, a link, markup, fields and macros."""
WIDELY = ("text", "markdown", "roll20", "foundry")


def won(fighter: str = "Jinx") -> PlayView:
    """An exchange that is over, whose attacker is called so."""
    game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots"))
    while (asked := game.session.question) is not None:
        faces = (7,) * asked.dice.size if asked.dice is not None else ()
        game = game.answer(faces or asked.options[0].name)
    view = game.view()
    named = tuple((role, fighter if name == "Jinx" else name) for role, name in view.names)
    said = tuple(text.replace("Jinx", fighter) for text in view.said)
    short = tuple(Account(text, *one[1:]) for one, text in zip(view.short, said, strict=True))
    return PlayView(**{**vars(view), "names": named, "said": said, "short": short})


def rolled(kinds: tuple[Thrown, ...], faces: tuple[Any, ...]) -> dict[str, Any]:
    """A roll as Foundry has it, of an exchange with this one."""
    line = LogLine("roll", (), "", "attacker", "", faces, ("hand",), "", "", (), "", kinds=kinds)
    view = won()
    view = PlayView(**{**vars(view), "log": (line,), "short": (Account("It.", 0, 1),),
                       "said": ("It.",)})  # fmt: skip
    (message,) = export(view, "foundry", "roll").messages
    rolls = message["rolls"]
    assert isinstance(rolls, list)
    found: dict[str, Any] = json.loads(rolls[0])
    return found


# -- all forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("system", FIGHTS)
@pytest.mark.parametrize("form", WIDELY)
def test_every_fight_is_written_in_every_form(form: str, system: str) -> None:
    view = played(system).view(since=-1)
    found = export(view, form)
    assert found.entries == len(entries_of(view))
    assert found.text
    exchanges = [event for event in view.events if event.kind == "exchange"]
    for part in ("exchange", "roll"):
        assert 0 < len(export(view, form, part).text) < len(found.text)
    (entry,) = (one for one in entries_of(view) if one.number == exchanges[0].number)
    assert entry.text == exchanges[0].said[0]
    faces = [tuple(line.faces) for line in exchanges[0].lines if line.faces]
    if len(exchanges[0].said) == 1:
        assert [roll.faces for roll in entry.rolls] == faces


def test_every_form_and_part_is_named_and_others_are_not() -> None:
    assert tuple(FORMS) == WIDELY
    assert tuple(PARTS) == ("log", "exchange", "roll")
    with pytest.raises(UnknownNameError, match="markdown"):
        export(won(), "markdwon")
    with pytest.raises(UnknownNameError, match="exchange"):
        export(won(), "text", "exchnage")


def test_what_has_not_happened_is_not_written() -> None:
    begun = Fight.begin("empty-earth", ("ada", "husk")).view(since=-1)
    with pytest.raises(AnswerError, match="nothing was rolled yet"):
        export(begun, "text", "roll")
    with pytest.raises(AnswerError, match="no exchange was told yet"):
        export(begun, "text", "exchange")
    with pytest.raises(AnswerError, match="exchange 7: not told yet; allowed: 1 to 1"):
        export(won(), "text", "exchange", 7)


def test_an_exchange_that_goes_on_is_written_as_far_as_it_goes() -> None:
    """Which weapon, and the attack's roll."""
    fight = Fight.begin("empty-earth", ("ada", "husk"))
    while not any(line.faces for line in fight.view().exchange):
        fight = gone_on(fight, 1)
    found = export(fight.view(since=-1), "text", "exchange")
    assert found.text == fight.view().short[0].text


# -- plain text and Markdown ---------------------------------------------------------------------


def test_plain_text_has_a_line_for_each_entry_and_rounds_apart() -> None:
    view = played("eclipse-phase").view(since=-1)
    lines = export(view, "text").text.splitlines()
    at = lines.index(next(line for line in lines if line.startswith("Round 1: ")))
    assert lines[at - 1] == ""
    first = next(event for event in view.events if event.kind == "exchange")
    assert f"1. {first.said[0]}" in lines


def test_markdown_shows_signs_as_they_are_and_calls_nobody() -> None:
    text = export(won(HOSTILE), "markdown", "exchange").text
    assert "@everyone" not in text
    assert not re.search(r"(?<!\\)[\[\]*_`<>|#]", text)
    plain = re.sub(r"\\(.)", r"\1", text).replace("\u2060", "")
    assert HOSTILE in plain


@pytest.mark.parametrize("system", FIGHTS)
def test_markdown_fits_into_one_message_and_says_what_is_left_out(system: str) -> None:
    view = played(system).view(since=-1)
    found = export(view, "markdown")
    assert len(found.text) <= LONGEST
    left = re.search(r"^\*(\d+) earlier entr(?:y|ies) left out\*$", found.text, re.MULTILINE)
    assert found.left_out == (int(left[1]) if left else 0)
    assert found.left_out == len(entries_of(view)) - len(kept_in(found.text))
    last = entries_of(view)[-1]
    assert re.sub(r"\\(.)", r"\1", found.text).endswith(last.text.removesuffix("."))or (
        re.sub(r"\\(.)", r"\1", found.text).endswith(last.text)
    )  # fmt: skip


def kept_in(text: str) -> list[str]:
    """The entries in Markdown of a fight without a title, or with one."""
    lines = text.splitlines()
    heads = [line for line in lines if re.fullmatch(r"\*\d+ earlier entr(y|ies) left out\*", line)]
    title = [line for line in lines[:1] if line.startswith("**") and "Round" not in line]
    return lines[len(heads) + len(title) :]


def test_one_long_entry_is_cut_at_a_word() -> None:
    """Signs beyond the usual ones count twice, as a chat counts."""
    view = won("\U0001f409 " * 3000)
    text = export(view, "markdown", "exchange").text
    assert len(text.encode("utf-16-le")) // 2 <= LONGEST
    assert text.endswith(" …")


# -- Roll20 --------------------------------------------------------------------------------------


def test_roll20_gets_no_roll_macro_or_field_from_a_name() -> None:
    (line,) = export(won(HOSTILE), "roll20", "exchange").text.splitlines()
    assert line.startswith("&{template:default} {{name=")
    body = line.removeprefix("&{template:default} ")
    fields = re.findall(r"\{\{([^{}=]*)=([^{}=]*)\}\}", body)
    assert " ".join(f"{{{{{key}={value}}}}}" for key, value in fields) == body
    for part in (part for field in fields for part in field):
        assert not re.search(r"[\[\]{}@%|`*<>!?~$_]|&(?!#\d+;)|(?<!&)#", part)
    assert unescape(fields[0][1]) == HOSTILE
    assert dict(fields)["told"].count("&#91;&#91;1d20") >= 1


def test_roll20_shows_what_nobody_rolled_as_a_sentence() -> None:
    lines = export(played("empty-earth").view(since=-1), "roll20").text.splitlines()
    first = next(line for line in lines if "Round 1" in line)
    assert first.startswith("/em Round 1: ")
    assert all(line.startswith(("/em ", "&{template:default} {{name=")) for line in lines)


def test_roll20_has_the_faces_of_each_roll() -> None:
    """7 for the attack, 7 for the defense."""
    line = export(won(), "roll20", "exchange").text
    assert "{{1 Jinx, 1d100=7, " in line
    assert "{{2 Exhuman, 1d100=7, " in line


# -- Foundry VTT ---------------------------------------------------------------------------------

MESSAGE = {
    "_id", "type", "system", "style", "author", "timestamp", "flavor", "content", "speaker",
    "whisper", "blind", "rolls", "sound", "emote", "flags", "_stats",
}  # fmt: skip
SPEAKER = {"scene", "actor", "token", "alias"}


class Page(HTMLParser):
    """The elements and the text of some HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def check_roll(text: object) -> None:
    assert isinstance(text, str)
    roll = json.loads(text)
    assert roll["class"] == "Roll"
    assert roll["evaluated"] is True, "Foundry refuses a roll that isn't"
    assert (roll["options"], roll["dice"]) == ({}, [])
    values, formula = 0, []
    for place, term in enumerate(roll["terms"]):
        assert term["evaluated"] is True
        if place % 2:
            assert (term["class"], term["operator"]) == ("OperatorTerm", "+")
            continue
        assert term["class"] in {"Die", "Coin"}
        assert set(term) == {
            "class", "options", "evaluated", "number", "faces", "modifiers", "results",
        }  # fmt: skip
        assert term["modifiers"] == []
        assert len(term["results"]) == term["number"] > 0
        for result in term["results"]:
            assert set(result) == {"result", "active"}
            assert result["active"] is True
            assert type(result["result"]) is int
            assert 0 <= result["result"] <= term["faces"]
            values += result["result"]
        sides = "c" if term["class"] == "Coin" else term["faces"]
        formula.append(f"{term['number']}d{sides}")
    assert roll["total"] == values
    assert roll["formula"] == " + ".join(formula)


@pytest.mark.parametrize("system", FIGHTS)
def test_messages_have_the_shape_of_foundry(system: str) -> None:
    found = export(played(system).view(since=-1), "foundry")
    assert json.loads(found.text) == list(found.messages)
    assert len(found.messages) == found.entries
    for message in found.messages:
        assert set(message) <= MESSAGE
        speaker, rolls, content = (message[key] for key in ("speaker", "rolls", "content"))
        assert isinstance(speaker, dict)
        assert set(speaker) <= SPEAKER
        assert isinstance(content, str)
        assert isinstance(rolls, list)
        for roll in rolls:
            check_roll(roll)
        assert Page(content).tags, "a bare text beside rolls is replaced"
        assert set(Page(content).tags) <= {"p", "h3", "ul", "li"}


def test_foundry_gets_no_markup_roll_or_link_from_a_name() -> None:
    (message,) = export(won(HOSTILE), "foundry", "exchange").messages
    page = Page(str(message["content"]))
    assert set(page.tags) == {"p", "ul", "li"}
    told = "".join(page.words)
    assert HOSTILE in told.replace("\u2060", "")
    assert "[[" not in told
    assert not re.search(r"[@&]\w+[\[{]", told)


def test_faces_are_those_of_the_roll() -> None:
    """A d100 that reads 00 as zero, and two kinds of dice."""
    kinds = Thrown("d100", 1, 100), Thrown("d6", 2, 6)
    roll = rolled(kinds, (0, 3, 6))
    check_roll(json.dumps(roll))
    assert (roll["formula"], roll["total"]) == ("1d100 + 2d6", 9)
    assert [one["result"] for one in roll["terms"][2]["results"]] == [3, 6]


def test_the_ten_of_a_ten_sided_die_is_ten() -> None:
    roll = rolled((Thrown("d10", 1, 10),), (10,))
    assert (roll["total"], roll["terms"][0]["faces"]) == (10, 10)


def test_symbols_are_sides_with_words_and_coins_are_heads_or_tails() -> None:
    sides = ("", "Damage", "Damage", "Break", "Break", "Damage")
    (term,) = rolled((Thrown("yellow", 2, 6, sides),), ("Damage", ""))["terms"]
    assert term["options"] == {"flavor": "yellow: Damage blank"}
    assert [one["result"] for one in term["results"]] == [2, 1]
    coin = Thrown("coin", 1, 2, ("crown", "cross"))
    for face, result in (("crown", 1), ("cross", 0)):
        (term,) = rolled((coin,), (face,))["terms"]
        assert (term["class"], term["results"]) == (
            "Coin", [{"result": result, "active": True}],
        )  # fmt: skip


# -- what a role sees ----------------------------------------------------------------------------


def test_an_export_has_no_more_than_the_view() -> None:
    view = played("grid-battles").view(since=-1)
    later = view.events[-3:]
    shorter = type(view)(**{**vars(view), "events": later})
    assert entries_of(shorter) == entries_of(view)[-len(entries_of(shorter)) :]
    assert len(entries_of(shorter)) < len(entries_of(view))
