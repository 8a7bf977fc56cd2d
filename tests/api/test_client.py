"""A client that a generator makes from the OpenAPI document prices and plays."""

import json
import subprocess
import sys
from pathlib import Path

from affray.api.server import make_app

PLAYED = """
import sys
from made.client import AuthenticatedClient, Client
from made.api.games import begin_exchange, change_exchange
from made.api.questions import ask_odds
from made.models import (
    AskOddsBody, BeginExchangeBody, ChangeExchangeFaces, GameView, OddsView, Problem
)

address = sys.argv[1]
client = Client(base_url=address, raise_on_unexpected_status=True)
asked = AskOddsBody(setup="jinx-shoots", of=["hit"])
odds = ask_odds.sync("eclipse-phase", client=client, body=asked)
assert isinstance(odds, OddsView)
print([(row.value, row.exactly.float_) for row in odds.rows])
refused = ask_odds.sync("emlai", client=client, body=asked)
assert isinstance(refused, Problem)
print(refused.status, refused.code)
body = BeginExchangeBody(system="eclipse-phase", setup="jinx-shoots")
game = begin_exchange.sync(client=client, body=body)
assert isinstance(game, GameView)
mine = AuthenticatedClient(base_url=address, token=game.key, raise_on_unexpected_status=True)
after = change_exchange.sync(game.id, client=mine, body=ChangeExchangeFaces.from_dict(
    {"do": "answer", "faces": [96], "at": game.revision}))
assert isinstance(after, GameView)
print(after.exchange.question.ask)
"""


def test_a_generated_client_prices_and_plays(address: str, tmp_path: Path) -> None:
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(make_app().openapi()), encoding="utf-8")
    made = subprocess.run(
        [
            Path(sys.executable).with_name("openapi-python-client"), "generate",
            "--path", document, "--output-path", tmp_path / "made", "--meta", "none",
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert "WARNING" not in made.stdout + made.stderr, made.stdout
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, address],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "[(False, 0.149), (True, 0.851)]",  # as docs/service.md
        "404 unknown-name",
        "spend a pool point on the attack roll?",
    ]
