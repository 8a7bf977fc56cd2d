"""Views come back from their JSON as they were."""

import json

import pytest

from affray.api.routes.questions import VIEWS
from affray.api.work.questions import read_question
from affray.app.views.books import RulingsView
from affray.app.views.decoded import view_from
from affray.app.views.envelope import to_json
from affray.app.views.fights import DuelView
from affray.engine.budget import Budget

ASKED: dict[str, dict[str, object]] = {
    "duel": {"system": "grid-battles", "fight": "light-cavalry", "exact": True},
    "battle": {"system": "empty-earth", "fight": ["ada", "husk"], "n": 100, "seed": 1},
    "compare": {
        "system": "empty-earth", "fights": [["ada", "husk"], ["bo", "husk"]], "n": 20, "seed": 1,
    },
    "sweep": {
        "system": "eclipse-phase", "setup": "jinx-shoots", "path": "attacker.guns",
        "values": [40, 50], "of": "net",
    },
    "sweep of two": {
        "system": "eclipse-phase", "setup": "jinx-shoots", "path": "attacker.guns",
        "values": [40, 50], "across": "rulings.ties", "of": "net",
    },
    "rulings": {"system": "grid-battles", "setup": "shot"},
}  # fmt: skip


@pytest.mark.parametrize("question", ASKED)
def test_a_view_comes_back_as_it_was(question: str) -> None:
    kind = question.split(maxsplit=1)[0]
    view = read_question(kind, ASKED[question]).view(Budget(seconds=20))
    assert view_from(VIEWS[kind], json.loads(json.dumps(to_json(view)))) == view


def test_another_view_is_refused() -> None:
    view = read_question("rulings", {"system": "grid-battles"}).view(Budget(seconds=20))
    with pytest.raises(ValueError, match="a view affray/rulings 1; allowed: affray/duel 1"):
        view_from((DuelView,), to_json(view))
    with pytest.raises(ValueError, match="affray/rulings 99"):
        view_from((RulingsView,), to_json(view) | {"version": 99})
