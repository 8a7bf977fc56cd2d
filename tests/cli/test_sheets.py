"""`affray sheet`: a sheet as the game prints it, on wide and narrow terminals."""

from pathlib import Path

import pytest

from tests.cli.running import affray, asked


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    done = affray("sheet", "eclipse-phase", "jinx", env={"COLUMNS": str(columns)})
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    told = " ".join(done.stdout.split())
    assert "Aptitudes COG 10; INT 20; REF 20; SOM 20; WIL 10 Skills Fray 60" in told
    assert "Death rating 45" in told  # 1.5 times 30


def test_a_file_with_own_fighters_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[fighters.nyx]\nlike = "jinx"\nname = "Nyx"\nguns = 85\n')
    done = affray("sheet", "eclipse-phase", str(file))
    assert done.stdout.startswith("Nyx\n")
    assert "Guns 85" in done.stdout


def test_json_says_what_is_computed_and_what_it_means() -> None:
    (sheet,) = asked("sheet", "eclipse-phase", "jinx")["sheets"]
    rows = {row["key"]: row for group in sheet["groups"] for row in group["rows"]}
    assert (rows["death"]["value"], rows["death"]["computed"]) == (45, True)
    assert rows["guns"]["meaning"].endswith("0 to 200 (EP-43)")
    assert rows["weapons"]["value"][0]["name"] == "medium pistol"


def test_an_unknown_name_ends_with_usage() -> None:
    done = affray("sheet", "eclipse-phase", "jnx")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean 'jinx'?" in done.stderr
