"""Databases as every released affray has left them, with rows in all tables.

Rows stand as they were written then. They are never changed, only added, one block a schema.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256

Rows = dict[str, list[dict[str, object]]]

SETUP = '{"sides":[["jinx"],["husk"]]}'


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _id(text: str) -> str:
    return urlsafe_b64encode(sha256(text.encode()).digest()).decode().rstrip("=")


FIRST = _hash('[["g1","fight","eclipse-phase","1.0",null,null,1700000000000000],' + SETUP + "]")
AFTER_1 = _hash(
    f'[["{FIRST}",1,1700000000000001,"1.0","Ada"],{{"kind":"hand"}},{{"do":"answer","faces":[7]}}]'
)
AFTER_2 = _hash(f'[["{AFTER_1}",2,1700000000000000,"1.0",""],{{"kind":"dice"}},{{"do":"undo"}}]')

SCHEMA_1: Rows = {
    "counter": [{"id": 1, "last": 9}],
    "tabletops": [
        {"id": "t1", "title": "Friday", "settings": "{}", "game": "g1", "revision": 1,
         "made": 1700000000000000, "touched": 1700000000000002, "changed": 8}
    ],
    "games": [
        {"id": "g1", "kind": "fight", "system": "eclipse-phase", "rules": "1.0", "title": "Dock",
         "state": "open", "setup": SETUP, "tabletop": "t1", "parent": None,
         "parent_revision": None, "begun": 1700000000000000, "touched": 1700000000000002,
         "revision": 2, "head": AFTER_2, "changed": 7}
    ],
    "entries": [
        {"game": "g1", "revision": 1, "what": '{"do":"answer","faces":[7]}', "who": "Ada",
         "by": '{"kind":"hand"}', "at": 1700000000000001, "rules": "1.0", "hash": AFTER_1},
        {"game": "g1", "revision": 2, "what": '{"do":"undo"}', "who": "",
         "by": '{"kind":"dice"}', "at": 1700000000000000, "rules": "1.0", "hash": AFTER_2},
    ],
    "documents": [
        {"id": _id('[["","setup","emlia","Dock"],{"a":1}]'), "owner": "", "kind": "setup",
         "system": "emlia", "name": "Dock", "content": '{"a":1}', "made": 1700000000000000,
         "changed": 3}
    ],
    "links": [
        {"id": "l1", "token_hash": _hash("token"), "role": '{"kind":"master"}', "name": "Ada",
         "tabletop": "t1", "game": None, "made": 1700000000000000, "expires": None,
         "revoked": None, "seen": 1700000000000001},
        {"id": "l2", "token_hash": _hash("other"), "role": "{}", "name": "", "tabletop": None,
         "game": "g1", "made": 1700000000000000, "expires": 1700000000000001,
         "revoked": 1700000000000001, "seen": None},
    ],
    "jobs": [
        {"id": "j1", "client": "me", "kind": "duel", "question": "{}", "state": "done",
         "progress": "{}", "result": '{"p":0.5}', "server": "s", "made": 1700000000000000,
         "begun": 1700000000000001, "ended": 1700000000000002, "beat": 1700000000000001,
         "changed": 9}
    ],
    "replies": [
        {"client": "me", "key": "k", "fingerprint": "f", "status": 201, "headers": "{}",
         "body": '{"id":"g1"}', "expires": 1700000000000002}
    ],
}  # fmt: skip

RELEASED: dict[str, Rows] = {"1": SCHEMA_1}
"""By schema: the rows of its tables."""
