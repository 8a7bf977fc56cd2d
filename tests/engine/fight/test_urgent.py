"""Things that are settled at once, by those who are out as well."""

import pytest

from affray.engine.fight.course import friend_of


@pytest.mark.parametrize(
    ("out", "needs", "friend"),
    [
        ((False, True, True), (), 1),
        ((False, True, True), (0, 0, 0), 1),
        ((False, True, True), (0, 1, 2), 2),
        ((False, True, True), (9, 2, 2), 1),
        ((False, False, True), (0, 5, 0), 2),  # the fallen before those who stand
        ((False, False, False), (0, 1, 3), 2),
        ((False, False, False), (7, 0, 0), None),
        ((True, False, False), (), None),  # nobody helps oneself
    ],
)
def test_the_neediest_friend_is_helped(
    out: tuple[bool, ...], needs: tuple[int, ...], friend: int | None
) -> None:
    assert friend_of(out, needs, 0) == friend
