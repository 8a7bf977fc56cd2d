"""What cubes pay for, and in which order it is offered."""

from affray.systems.empty_earth.cubes import bundles, name_of, too_dear
from affray.systems.empty_earth.sheet import Cubes

from .factory import feature


def test_ee57_everything_that_is_free_comes_first() -> None:
    """Two are free and one costs a red cube: first both, then all three, then what leaves some."""
    offered = (
        feature("edge", red=0, damage=1),
        feature("burst", red=1, damage=1),
        feature("grip", red=0, damage=1),
    )
    found = [name_of(bundle) for bundle in bundles(offered, Cubes(red=1))]
    assert found == [
        "edge+grip", "edge+burst+grip",
        "none", "edge", "burst", "grip", "edge+burst", "burst+grip",
    ]  # fmt: skip


def test_ee57_what_the_cubes_do_not_pay_for_is_closed() -> None:
    offered = (feature("edge", red=0, damage=1), feature("burst", red=2, damage=1))
    assert [name_of(bundle) for bundle in bundles(offered, Cubes(red=1))] == ["edge", "none"]
    assert too_dear(offered, Cubes(red=1)) == (("burst", "costs 2 red; at hand: 1 red"),)
