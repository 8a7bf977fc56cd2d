"""`affray fight ... --next FILE`: from one fight to the next, with what lasts and rests."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.cli.running import affray, asked

TYPED = "gm set Fighter hd=4\ngm set Bog Hound 1 hd=1\ngm end one\n"
MARSH = ("fight", "affinity", "marsh", "--by", "one=rolled", "--by", "other=rolled")


def test_the_next_fight_is_fought_at_once(tmp_path: Path) -> None:
    path = tmp_path / "next.toml"
    done = affray(*MARSH, "--next", str(path), "--rest", "Fighter=recover 2", stdin=TYPED)
    assert done.returncode == 0, done.stderr
    table = tomllib.loads(path.read_text())
    assert table["system"] == "affinity"
    hit_dice = {row["name"]: row["hd"] for row in table["one"]["fighters"]}
    assert hit_dice["Fighter"] == 6
    told = asked("fight", "affinity", str(path), "--by", "one=computer", "--by", "other=computer",
                 "--seed", "1")  # fmt: skip
    assert told["verdict"] in {"one", "other", "drawn"}


def test_a_saved_fight_that_is_over_goes_on_to_the_next(tmp_path: Path) -> None:
    saved, path = tmp_path / "fight.json", tmp_path / "next.json"
    affray(*MARSH, "--save", str(saved), stdin=TYPED)
    done = affray("fight", "affinity", str(saved), "--next", str(path), "--against", "2xnovice")
    assert done.returncode == 0, done.stderr
    assert asked("fight", "affinity", str(path))["sides"] == ["Travellers", "2 x Novice"]


def test_what_goes_wrong_with_a_next_fight_is_told(tmp_path: Path) -> None:
    path = str(tmp_path / "next.toml")
    for words, why in {
        ("--rest", "recover"): "only with --next",
        ("--against", "novice"): "only with --next",
        ("--next", path): "the fight is not over; play it to the end",
    }.items():
        done = affray(*MARSH, *words, stdin="q\n")
        assert done.returncode != 0
        assert why in done.stderr
    done = affray(*MARSH, "--next", path, "--rest", "Nobody=recover", stdin=TYPED)
    assert "no side or fighter is called 'Nobody'" in done.stderr
    done = affray("fight", "grid-battles", "siege", "--by", "one=rolled", "--next", path,
                  stdin="gm set Light Cav 2 health=0\ngm end one\n")  # fmt: skip
    assert "Light Cav 2 is not in it: Light Cav is removed (GB-16)" in done.stderr
    assert "can't be fought as it stands: the next fight: other.fighters: nobody" in done.stderr
