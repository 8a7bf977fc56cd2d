"""Files are written whole or not at all: modes, links, locks, revisions, kills, full disks."""

from __future__ import annotations

import fcntl
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

from affray.cli import writing
from affray.cli.writing import UNFINISHED, ChangedError, revision, write_beside, write_whole
from affray.core.errors import StoreError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nothing_but_the_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_whole(path, "one")
    write_whole(path, "two")
    assert path.read_text() == "two"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o666])
def test_an_existing_file_keeps_its_mode(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(kept)
    write_whole(path, "new")
    assert (path.read_text(), mode(path)) == ("new", kept)


@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path, mask: int, expected: int) -> None:
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "a.json", "new")
        write_beside(tmp_path / "b.json", "new")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a.json") == mode(tmp_path / "b-2.json") == expected


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "a.json", tmp_path / "link.json"
    link.symlink_to(target)
    for text in ("made", "replaced"):
        write_whole(link, text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert list(target.parent.iterdir()) == [target]


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "a.json", tmp_path / "b.json"
    one.symlink_to(other)
    other.symlink_to(one)
    with pytest.raises(StoreError, match=r"a\.json: can't be written: Too many levels"):
        write_whole(one, "x")


def test_planted_links_are_not_followed(tmp_path: Path) -> None:
    """Neither the name of old nor one that looks like an unfinished file."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "a.json.part").symlink_to(victim)
    planted = tmp_path / f".a.json.0{UNFINISHED}"
    planted.symlink_to(victim)
    write_whole(tmp_path / "a.json", "new")
    assert victim.read_text() == "mine"
    assert not planted.is_symlink()  # it looked like a leftover, and was cleared away


def test_a_write_protected_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda place, _: Path(place) != path)
    with pytest.raises(StoreError, match=r"can't be written: it is write-protected"):
        write_whole(path, "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no/such/folder.json", "No such file or directory"),
        ("file/a.json", "Not a directory"),
        ("n" * 256, "File name too long"),
        ("folder", "it is a folder"),
        ("nul\0.json", "null"),
    ],
)
def test_what_can_not_be_written_is_told_beforehand(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    for attempt in (revision, lambda path: write_whole(path, "x")):
        with pytest.raises(StoreError, match=f"can't be written: .*{why}"):
            attempt(tmp_path / name)


@pytest.mark.parametrize("name", ["n" * 255, "ä" * 127, "n" * 250 + ".json"])
def test_the_longest_names_work(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_whole(path, "one")
    write_whole(path, "two")
    assert path.read_text() == "two"
    assert write_beside(path, "three").read_text() == "three"
    assert len(list(tmp_path.iterdir())) == 2


def test_devices_are_written_to_directly(tmp_path: Path) -> None:
    write_whole(Path(os.devnull), "x")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    with pytest.raises(StoreError, match="/dev/full: can't be written: No space left"):
        write_whole(Path("/dev/full"), "x")


# -- revisions ---------------------------------------------------------------------------------


def test_a_file_that_somebody_else_changed_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    known = write_whole(path, "mine")
    assert known == revision(path)
    path.write_text("theirs")
    with pytest.raises(ChangedError, match="another program has changed it"):
        write_whole(path, "mine again", known=known)
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_came_or_went_meanwhile_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    none = revision(path)
    known = write_whole(path, "x", known=none)
    with pytest.raises(ChangedError):
        write_whole(path, "y", known=none)
    path.unlink()
    with pytest.raises(ChangedError):
        write_whole(path, "y", known=known)
    assert not path.exists()


def test_the_first_free_name_is_taken_beside(tmp_path: Path) -> None:
    (tmp_path / "game-2.json").write_text("taken")
    assert write_beside(tmp_path / "game.json", "x") == tmp_path / "game-3.json"
    assert (tmp_path / "game-2.json").read_text() == "taken"


def test_without_hard_links_beside_works_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refused)
    (tmp_path / "game-2.json").write_text("taken")
    beside = write_beside(tmp_path / "game.json", "x")
    assert (beside.name, beside.read_text()) == ("game-3.json", "x")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_is_locked_too_long_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "PATIENCE_S", 0.05)
    holder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        with pytest.raises(StoreError, match=r"another program has kept .* locked"):
            write_whole(tmp_path / "a.json", "x")
    finally:
        os.close(holder)
    write_whole(tmp_path / "a.json", "x")


# -- what goes wrong on the way ----------------------------------------------------------------


@pytest.mark.parametrize("broken", ["fsync", "replace", "write"])
def test_an_error_on_the_way_leaves_the_old_text_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.json"
    path.write_text("old")
    with monkeypatch.context() as patched:
        if broken == "write":
            resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
            before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        elif broken == "fsync":
            patched.setattr(os, "fsync", fails)
        else:
            patched.setattr(Path, "replace", fails)
        try:
            with pytest.raises(StoreError, match=r"a\.json: can't be written: (No space|File too)"):
                write_whole(path, "new" * 100_000)
        finally:
            if broken == "write":
                unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
                resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
                signal.signal(signal.SIGXFSZ, before)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_text_is_on_the_disk_before_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []
    fsync, replace = os.fsync, Path.replace

    def sync(place: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(place).st_mode) else "file")
        fsync(place)

    def move(made: Path, target: Path) -> Path:
        done.append("replace")
        return replace(made, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", move)
    write_whole(tmp_path / "a.json", "x")
    assert done == ["file", "replace", "folder"]


WRITER = """
import sys
from pathlib import Path
from affray.cli.writing import ChangedError, revision, write_whole
path, mark = Path(sys.argv[1]), sys.argv[2]
told = 0
for n in range(int(sys.argv[3])):
    known = revision(path)
    lines = path.read_text().splitlines() if path.exists() else []
    try:
        write_whole(path, "".join(f"{x}\\n" for x in [*lines, mark]), known=known)
    except ChangedError:
        told += 1
print(told)
"""


def _writer(path: Path, mark: str, times: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), mark, str(times)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_of_two_writers_the_second_is_told_and_readers_see_whole_texts(tmp_path: Path) -> None:
    """Each adds a line to what it read; whoever isn't told has their line in the end."""
    path = tmp_path / "a.txt"
    times = 60
    writers = [_writer(path, mark * 2000, times) for mark in "ab"]
    reads = 0
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            lines = path.read_text().split("\n")
            assert lines.pop() == ""
            assert all(line in {"a" * 2000, "b" * 2000} for line in lines)
            reads += 1
        time.sleep(0.001)
    told = [int(writer.communicate()[0]) for writer in writers]
    lines = path.read_text().split()
    kept = [sum(line[0] == mark for line in lines) for mark in "ab"]
    assert kept == [times - times_told for times_told in told]
    assert reads > 10
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_beside_is_not_cleared_away_by_another_program_that_writes(tmp_path: Path) -> None:
    """Two at one file: while one keeps writing, the other's texts all arrive beside it."""
    path = tmp_path / "fight.json"
    write_whole(path, "first")
    done = Event()

    def keeps_writing() -> None:
        while not done.is_set():
            write_whole(path, "one")

    writer = Thread(target=keeps_writing)
    writer.start()
    try:
        beside = [write_beside(path, f"other {number}") for number in range(40)]
    finally:
        done.set()
        writer.join()
    assert [one.read_text() for one in beside] == [f"other {number}" for number in range(40)]


def test_kill_at_any_moment_leaves_a_whole_text(tmp_path: Path) -> None:
    """A writer is killed, the next one clears up; AFFRAY_KILLS: how often."""
    path = tmp_path / "a.txt"
    chooser = random.Random(1)
    write_whole(path, "a\n")
    for _ in range(int(os.environ.get("AFFRAY_KILLS", "30"))):
        with _writer(path, "b" * 5000, 100_000) as running:
            while path.read_text() == "a\n" and running.poll() is None:
                time.sleep(0.002)
            time.sleep(chooser.random() * 0.02)
            running.kill()
        lines = path.read_text().split("\n")
        assert lines[0] == "a"
        assert lines.pop() == ""
        assert set(lines[1:]) == {"b" * 5000}
        write_whole(path, "a\n")
        assert list(tmp_path.iterdir()) == [path]
