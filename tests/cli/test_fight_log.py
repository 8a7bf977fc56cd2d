"""What a fight tells at a glance: a line or two an exchange, and everything on demand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from affray.app.views.accounts import by_name
from tests.app.test_turns import defended
from tests.cli.running import affray

FIGHTS = {
    "eclipse-phase": ("jinx", "exhuman"),
    "empty-earth": ("ada,bo", "bulwark,shrieker"),
    "affinity": ("champion", "brass_sentry"),
    "emlia": ("irregulars",),
    "grid-battles": ("light-cavalry",),
}
FIRST = ["--by", "one=computer:first", "--by", "other=computer:first", "--seed", "1"]
CLAUSE = re.compile(r"\b(?:EP|EE|AF|EM|GB)-\d")


def fight(system: str, *words: str, **more: Any) -> Any:
    done = affray("fight", system, *FIGHTS[system], *FIRST, *words, **more)
    assert done.returncode == 0, done.stderr
    return done


def in_a_row(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("system", "account"),
    [
        # Guns 70 + 10 point-blank: 81 of the 100 faces from 00 on. Fray 30 fails with 69 of them.
        # 5 + 7 against armor 10.
        (
            "eclipse-phase",
            "2 Jinx attacks Exhuman with medium pistol: 25 against 80, success (81 %); Exhuman: 49 "
            "against 30, failure (69 %); a hit; 12 - 10 armor = 2 damage. Exhuman 38/40.",
        ),
        # Two d8, 6 or more: 3/8 * 3/8 is 14 of 100. Two hits of 2 take all of 4 Vitality.
        ("empty-earth",
         "1 Ada attacks Shrieker with Scrap Bow: 7 7 against 6+, 2 hits (14 %); 4 damage. "
         "Shrieker 0/4: DEFEATED."),
        # Four d6, 2 or more, a six counts twice: too few are 1 + 16 of 1296. Damage 2 + 3; the
        # layer cancels 1 (11), the body 1 (10).
        ("affinity",
         "2 Champion attacks Brass Sentry with long blade: 3 5 2 6 for 5 successes, 2 needed, "
         "enough (99 %); 5 damage; armor cancels 1 and is gone; body cancels 1; 3 HD lost. Brass "
         "Sentry 7/10."),
        # Six d10 without a one: 0.9 ** 6 is 53 of 100.
        ("emlia",
         "1 Ghurn Irregulars, close combat against House Guard: 9 8 3 5 5 7 against difficulty 2, "
         "6 successes (53 %). House Guard takes 1 point for 4 hits, 1 casualty. 2 hits left as "
         "markers on House Guard. House Guard 4/4, 1 casualty, 2 markers."),
        # Yellow: Damage on 3 of 6 faces. Brown: a Shield on 2 of 6.
        ("grid-battles",
         "1 Light Cav 1 attacks Light Cav 2: b, 0 Damage (50 %); Light Cav 2: s, 1 Shield (33 %); "
         "no hit. Light Cav 2 strikes back. d, 1 Damage (50 %); Light Cav 1: -, 0 Shields (67 %); "
         "1 hit. Light Cav 1 2/3."),
    ],
)  # fmt: skip
def test_an_exchange_is_a_line_or_two(system: str, account: str) -> None:
    assert f" {account} " in in_a_row(fight(system).stdout)


def test_a_map_fight_tells_each_move_and_attack() -> None:
    """Of the ford's units an Axeman walks first, and an Archer shoots then."""
    done = affray("fight", "grid-battles", "ford", "--by", "one=rolled", "--by",
                  "other=computer:first", "--seed", "1",
                  stdin="axeman\narcher\naxeman\n0201\nstay\narcher-on-swordman\nq\n")  # fmt: skip
    told = in_a_row(done.stdout)
    assert " 1 Axeman goes from 0101 to 0201. " in told
    assert " 2 Archer attacks Swordman: " in told
    assert told.index(" 1 Axeman goes") < told.index(" 2 Archer attacks"), told


@pytest.mark.parametrize("system", FIGHTS)
def test_the_long_form_has_everything_that_the_short_one_leaves_out(system: str) -> None:
    short, long = fight(system).stdout, fight(system, "--long").stdout
    view = json.loads(fight(system, "--json").stdout)
    events = view.get("data", view)["events"]
    told, lines = in_a_row(long), 0
    for event in events:
        names = {"attacker": event["fighter"], "defender": event["target"]}
        for line in event["lines"]:
            lines += 1
            assert by_name(in_a_row(line["says"]), names) in told
            if line["says"] or line["faces"]:
                assert f"[{', '.join(line['clauses'][:3])}]" in told
    assert lines
    accounts = [one["text"] for event in events for one in event["short"]]
    assert not any(CLAUSE.search(text) for text in accounts)
    assert len(short.splitlines()) < len(long.splitlines()) / 2


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("system", FIGHTS)
def test_nothing_is_wider_than_the_terminal(system: str, width: int) -> None:
    lines = fight(system, env={"COLUMNS": str(width)}).stdout.splitlines()
    assert not [line for line in lines if len(line) > width]


def test_why_tells_everything_about_one_exchange() -> None:
    """The parts of each sum with their clauses, and the chance of what was rolled."""
    done = affray("fight", "eclipse-phase", "ripper-dog", "--by", "one=rolled", *FIRST[2:],
                  stdin="stop asking\nmelee\nnone\nwhy\nwhy 1\nwhy 9\nwhy me\nq\n",
                  env={"COLUMNS": "80"})  # fmt: skip
    last, first, ninth, wrong = done.stdout.split("option> ")[-5:-1]
    assert last == first, "there is but one"
    assert first.lstrip().startswith("1 Guard dog attacks Ripper with guard dog's bite: ")
    assert "    50 Melee (EP-43)\n" in first
    assert re.search(r"Guard dog: \[\d+\] Against \d+: .* \(\d+ % chance\)\s\[EP-1, EP-2,", first)
    assert ninth == "  why 9: not told yet; allowed: 1 to 1\n"
    assert wrong == "  why 'me': type the number of an exchange, as in why 3\n"


def test_what_is_known_is_told_before_somebody_is_asked() -> None:
    """In the middle of an exchange: who attacks, then what was rolled, then only the rest."""
    done = affray("fight", "eclipse-phase", "ripper-dog", "--by", "one=rolled", *FIRST[2:],
                  stdin="stop asking\nmelee\nnone\nq\n", env={"COLUMNS": "80"})  # fmt: skip
    asked, spent = done.stdout.split("option> ")[:2]
    assert (
        "\n 1 Guard dog attacks Ripper with guard dog's bite: aggressive for damage ...\nRipper: "
        in asked
    )
    assert done.stdout.count(" 1 Guard dog") == 1
    assert spent


def test_the_table_is_drawn_when_it_has_changed() -> None:
    """By turns, with bars; those who are alike on one line."""
    done = affray("fight", "empty-earth", "brockton", "--by", "one=rolled", *FIRST[2:],
                  stdin="attack: Shrieker\nno\nscrap bow\nnone\nno\ntable\nq\n",
                  env={"COLUMNS": "80"})  # fmt: skip
    told = done.stdout
    assert "\nRound 1: + Ada and Bo, - The Empty\n> + Ada " in told
    assert "  - Husk 1, 2, 3, 4, 5, 6 unhurt\n" in told
    assert "██████████ 10/10" in told


@pytest.mark.parametrize("system", FIGHTS)
def test_colors_add_nothing_and_take_nothing_away(system: str) -> None:
    plain = fight(system, env={"COLUMNS": "80"}).stdout
    colored = fight(system, env={"COLUMNS": "80", "FORCE_COLOR": "1"}).stdout
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain
    assert "\x1b[" in colored
    assert "\x1b[" not in plain


@pytest.mark.parametrize(
    ("fight", "account"),
    [
        # One d6 comes back to somebody at 0 Vitality: 6 of 10.
        (("empty-earth", "brockton"), "Bo revives Ada: Ada: 6 for Vitality. Ada 6/10."),
        # A six counts twice: 2 + 1 + 1. The one on an exertion die burns a Hit Die of the healer.
        (
            ("affinity", "wards"),
            "Healer takes the action mend for Warder: 6 4 4 1 for 4 successes, 1 needed, enough "
            "(>99 %); 2 for 2 HD back. Warder 2/8. Healer 8/10.",
        ),
    ],
)
def test_help_is_told_like_an_attack(fight: tuple[str, str], account: str) -> None:
    done = affray("fight", *fight, *FIRST)
    assert f" {account} " in in_a_row(done.stdout)


def test_what_was_not_asked_stands_behind_why(tmp_path: Path) -> None:
    """96 fails, and so does 69: whether a point flips them makes no difference."""
    fight = defended(96)
    assert fight.unasked is not None
    path = tmp_path / "fight.json"
    path.write_text(json.dumps(fight.answer(fight.unasked).saved))
    told = affray(
        "fight", "eclipse-phase", str(path), "--by", "other=typed", stdin="why\nq\n"
    ).stdout
    short, _, long = told.partition("option> ")
    assert "the roll stands" not in short
    assert "the roll stands (not asked, since nothing depends on it)" in " ".join(long.split())
