"""The file in which a game is kept while it is played."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from affray.app.files.saved import restore
from affray.app.play import PlayedGame, play_script
from affray.app.registry import system_named
from affray.app.sources import Answers, Shipped
from affray.cli.game_file import GameFile
from affray.cli.sources import table_from_file
from affray.core.errors import StoreError
from tests.cli.running import ENV, affray

EP = system_named("eclipse-phase")


def game(faces: list[int], option: str) -> PlayedGame:
    """The worked example, played with these faces."""
    script = Answers(tuple(faces), (option,))
    return play_script(PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")), script)


def test_of_two_who_play_one_game_the_second_is_told_and_keeps_theirs(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    GameFile(path).save(game([96], "none"))
    mine, theirs = GameFile(path), GameFile(path)
    theirs.save(game([95], "none"))
    with pytest.raises(StoreError, match=r"it stays, and yours is kept in .*game-2\.json"):
        mine.save(game([94], "none"))
    first = json.loads(path.read_text())["answers"][0]["faces"]
    second = json.loads((tmp_path / "game-2.json").read_text())["answers"][0]["faces"]
    assert (first, second) == ([95], [94])
    assert restore(EP, json.loads((tmp_path / "game-2.json").read_text()), "beside").notes == ()


def test_one_who_plays_on_writes_as_often_as_needed(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    mine = GameFile(path)
    begun = game([96, 7], "flip")
    mine.save(begun)
    before = path.stat().st_ino
    mine.save(begun)
    assert path.stat().st_ino == before, "nothing new, nothing written"
    GameFile(path).save(begun)
    assert path.stat().st_ino == before, "opened and closed again, nothing written"
    mine.save(begun.undo())
    assert len(json.loads(path.read_text())["answers"]) == 2


def test_a_game_that_can_not_be_kept_says_which_answer_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    mine = GameFile(tmp_path / "game.json")
    begun = game([96], "none")
    mine.save(begun.undo())
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device; it stays without the last "
                                         "answer, none"):  # fmt: skip
        mine.save(begun)
    assert len(json.loads((tmp_path / "game.json").read_text())["answers"]) == 1


def test_what_can_never_be_written_is_told_before_anything_is_played(tmp_path: Path) -> None:
    done = affray("play", "eclipse-phase", "jinx-shoots", "--own-dice", "--save",
                  str(tmp_path / ("n" * 256)), stdin="96\n")  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.endswith("can't be written: File name too long\n")
    assert done.stderr.count("\n") == 1


def test_two_commands_on_one_game(tmp_path: Path) -> None:
    """Both begin with the same game; one answers while the other waits."""
    path = tmp_path / "game.json"
    words = ["play", "eclipse-phase", str(path), "--own-dice", "--save", str(path)]
    assert affray("play", "eclipse-phase", "jinx-shoots", "--dice", "96", "--save",
                  str(path)).returncode == 0  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "affray", *words], env=ENV, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as slow:  # fmt: skip
        assert slow.stdin is not None
        assert slow.stderr is not None
        assert "pool point" in slow.stderr.readline()  # it has read the game, and asks
        quick = affray(*words, stdin="none\nq\n")
        assert quick.returncode == 0, quick.stderr
        _, told = slow.communicate("flip\n")
    assert slow.returncode == 3
    last = told.splitlines()[-1]
    assert f"affray: {path}: another program has changed it meanwhile" in last
    assert "Traceback" not in told
    answers = [json.loads(file.read_text())["answers"][1] for file in
               (path, tmp_path / "game-2.json")]  # fmt: skip
    assert [answer["option"] for answer in answers] == ["none", "flip"]


def test_a_game_survives_kills_while_it_is_saved(tmp_path: Path) -> None:
    """Killed at any moment of a run of answers it opens, with what was answered before."""
    path = tmp_path / "game.json"
    code = (
        "import itertools, sys; from pathlib import Path\n"
        "from affray.app.play import PlayedGame, play_script\n"
        "from affray.app.sources import Answers, Shipped\n"
        "from affray.cli.game_file import GameFile\n"
        "file = GameFile(Path(sys.argv[1]))\n"
        "game = PlayedGame.begin('eclipse-phase', Shipped('jinx-shoots'))\n"
        "for face in itertools.cycle(range(90, 99)):\n"
        "    file.save(play_script(game, Answers((face,))))\n"
        "    file.save(play_script(game, Answers((face, 7), ('flip',))))\n"
    )
    chooser, old = random.Random(2), 0
    for _ in range(int(os.environ.get("AFFRAY_KILLS", "30")) // 5):
        with subprocess.Popen([sys.executable, "-c", code, str(path)]) as running:
            while (not path.exists() or path.stat().st_ino == old) and running.poll() is None:
                time.sleep(0.002)
            time.sleep(chooser.random() * 0.1)
            running.kill()
        assert len(PlayedGame.begin("eclipse-phase", table_from_file(path)).answers) in {1, 3}
        GameFile(path).save(game([96, 7, 7, 5, 5, 1, 3, 9], "flip"))
        old = path.stat().st_ino
        assert list(tmp_path.iterdir()) == [path]
