"""Systems of other packages: found, named, and left out with the reason if they are broken."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from affray.app import registry
from affray.app.lookups import list_systems
from affray.app.registry import broken_systems, system_ids, system_named
from affray.core.errors import RulesError, UnknownNameError
from tests.app.conftest import Installed

# A system with another id: the shipped one, renamed.
RENAMED = """
from dataclasses import replace
from affray.systems.affinity import SYSTEM as shipped
SYSTEM = replace(shipped, id={id!r})
"""


def _module(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / f"{name}.py").write_text(text)


def test_a_system_of_another_package_is_found(tmp_path: Path, install: Installed) -> None:
    _module(tmp_path, "brought_good", RENAMED.format(id="my-game"))
    install("good-package", "my-game = brought_good:SYSTEM")
    assert "my-game" in system_ids()
    assert system_named("my_game") is system_named("my-game")
    assert broken_systems() == ()


def test_an_entry_point_may_have_underscores(tmp_path: Path, install: Installed) -> None:
    _module(tmp_path, "brought_under", RENAMED.format(id="my-game"))
    install("under", "my_game = brought_under:SYSTEM")
    assert system_named("my_game").id == "my-game"
    assert system_named("My-Game").id == "my-game"
    assert "my-game" in system_ids()


BROKEN = {
    "module": ("lost = brought_nowhere:SYSTEM", "",
               "ModuleNotFoundError: No module named 'brought_nowhere'"),
    "raises": ("lost = brought_raises:SYSTEM", "raise ValueError('of\\nits own')",
               "ValueError: of its own"),
    "exits": ("lost = brought_exits:SYSTEM", "raise SystemExit(3)", "SystemExit: 3"),
    "raises no Exception": ("lost = brought_base:SYSTEM", "raise BaseException('of its own')",
                            "BaseException: of its own"),
    "ends a generator": ("lost = brought_generator:SYSTEM", "raise GeneratorExit",
                         "GeneratorExit"),
    "attribute": ("lost = brought_attribute:SYSTEM", "",
                  "AttributeError: module 'brought_attribute' has no attribute 'SYSTEM'"),
    "kind": ("lost = brought_kind:SYSTEM", "SYSTEM = 3",
             "brought_kind:SYSTEM is int, no affray System"),
    "no object": ("lost = brought_object", "", "'brought_object' names no object"),
    "id": ("lost = brought_id:SYSTEM", RENAMED.format(id="found"),
           "System.id is 'found'; it must be the entry point's name, lost"),
    "id with underscore": (
        "my_lost = brought_line:SYSTEM", RENAMED.format(id="my_lost"),
        "System.id is 'my_lost'; it must be the entry point's name, my-lost",
    ),
    "invalid": (
        "lost = brought_invalid:SYSTEM", RENAMED.format(id="lost").replace("id=", "steps=(), id="),
        "lost: the start, ",
    ),
    "shipped name": ("emlia = brought_shipped:SYSTEM", RENAMED.format(id="emlia"),
                     "a system that ships has this name; choose another"),
    "no name": ("lost! = brought_name:SYSTEM", RENAMED.format(id="lost!"),
                "allowed in a name: small letters, digits and hyphens between them"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_left_out_with_its_reason(
    name: str, tmp_path: Path, install: Installed
) -> None:
    points, text, why = BROKEN[name]
    module = points.partition("= ")[2].partition(":")[0]
    if name != "module":
        _module(tmp_path, module, text)
    before = system_ids()
    install("bad-package", points)
    assert system_ids() == before
    (row,) = broken_systems()
    assert row.package == "bad-package"
    assert row.why.startswith(why)
    view = list_systems()
    assert [(b.name, b.why) for b in view.broken] == [(row.name, row.why)]
    assert {s.id for s in view.systems} == set(before)


def test_naming_a_broken_one_tells_the_reason(tmp_path: Path, install: Installed) -> None:
    install("bad-package", "lost = brought_nowhere_either:SYSTEM")
    with pytest.raises(RulesError, match="system lost of bad-package can't be used: ModuleNot"):
        system_named("lost")
    with pytest.raises(
        UnknownNameError, match=r"no system is called 'other'. Known: affinity, ecl"
    ):
        system_named("other")


def test_two_packages_with_the_same_name_are_both_left_out(
    tmp_path: Path, install: Installed
) -> None:
    _module(tmp_path, "brought_one", RENAMED.format(id="twin"))
    _module(tmp_path, "brought_two", RENAMED.format(id="twin"))
    install("one", "twin = brought_one:SYSTEM")
    install("two", "twin = brought_two:SYSTEM")
    (row,) = broken_systems()
    assert row == ("twin", "one and two", "2 systems have this name; remove all but one")
    assert "twin" not in system_ids()


def test_a_shipped_name_stays_with_what_ships(tmp_path: Path, install: Installed) -> None:
    _module(tmp_path, "brought_thief", RENAMED.format(id="emlia"))
    install("thief", "emlia = brought_thief:SYSTEM")
    assert system_named("emlia").title == "Emlia"


def test_one_with_broken_files_is_told_and_hides_no_other(
    tmp_path: Path, install: Installed
) -> None:
    folder = tmp_path / "brought_torn"
    shutil.copytree(Path(__file__).parent.parent / "outside" / "brawl", folder)
    (folder / "examples.toml").write_text("[")
    install("torn-package", "brawl = brought_torn:SYSTEM")
    view = list_systems()
    assert "affinity" in {row.id for row in view.systems}
    (broken,) = view.broken
    assert broken.name == "brawl"
    assert "examples.toml: neither TOML nor JSON" in broken.why


def test_an_error_of_another_package_is_blamed_on_it(tmp_path: Path, install: Installed) -> None:
    text = RENAMED.format(id="blamed") + "def spring():\n    raise KeyError('trap')\n"
    _module(tmp_path, "brought_blamed", text)
    install("bad-package", "blamed = brought_blamed:SYSTEM")
    assert "blamed" in system_ids()
    with pytest.raises(KeyError) as raised:
        sys.modules["brought_blamed"].spring()
    told = registry.blame(raised.value)
    assert told.startswith("system blamed of bad-package failed (brought_blamed, line ")
    assert told.endswith("in spring): KeyError: 'trap'")


def test_an_error_of_our_own_is_blamed_on_nobody() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        _ = 1 // 0
    assert registry.blame(raised.value) == ""
