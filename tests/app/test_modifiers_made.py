"""Modifiers that a value of the situation makes."""

from affray.app.modifiers_made import Made, modifiers_made

SHOT = {
    "attacker": {"name": "A", "guns": 60},
    "defender": {"name": "B", "fray": 40},
    "weapon": "medium_pistol",
    "distance_m": 10,
    "choose": {"choose_mode": "semi", "choose_called_shot": "none", "choose_defence": "fray"},
}


def test_ep77_cover_and_smoke_make_what_the_table_says() -> None:
    found = modifiers_made(
        "eclipse-phase",
        SHOT,
        [("cover", "minor"), ("cover", "major"), ("defender_vision", "major")],
    )
    assert found == {
        ("cover", "minor"): (Made("Guns", -10),),
        ("cover", "major"): (Made("Guns", -30),),
        ("defender_vision", "major"): (Made("Fray / 2", -20),),
    }


def test_what_is_refused_or_changes_nothing_makes_nothing() -> None:
    assert modifiers_made("eclipse-phase", SHOT, [("cover", "lots"), ("treated", True)]) == {}
    assert modifiers_made("eclipse-phase", {"attacker": 3}, [("cover", "minor")]) == {}
