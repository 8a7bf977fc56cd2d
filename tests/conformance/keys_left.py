"""Keys of sheets that change nothing, each with the reason; `*` stands for all words of a field.

`BY_THE_BOOK` may stay: the rules give such a key no effect there. `LEFT` is to become empty: a
key is carried out, shown by an example, refused with its clause, or taken out of its sheet. One
that turns out to matter fails `test_keys_matter`, so that neither list outlives its reasons.
"""

from __future__ import annotations

Reasons = dict[str, str]

BY_THE_BOOK: dict[str, Reasons] = {
    "affinity": {
        "attacker.resist=*": "it lessens what one suffers (AF-31)",
        "attacker.vulnerable=*": "it adds to what one suffers (AF-31)",
        "attacker.immune=*": "it stops what one suffers (AF-31)",
        "attacker.doubled=*": "it doubles what one suffers (AF-75)",
        "attacker.universal=intervene": "only who is near somebody attacked intervenes (AF-41)",
        "defender.universal=*": "actions are taken by who acts",
        "fighter.attacked": "who comes into a fight has yet to begin a turn (AF-62)",
        "fighter.expert_used": "who comes into a fight has yet to begin a turn (AF-62)",
        "fighter.exerted": "who comes into a fight has yet to begin a turn (AF-62)",
    },
    "empty-earth": {
        "Fighter.name": "it tells apart who may not revive themselves, else it is shown (EE-51)",
    },
    "eclipse-phase": {
        "Weapon.traits=concealable": "how well it can be hidden; `concealable` says it too",
        "attacker.qualities=medichines": "it lessens what one suffers",
        "attacker.qualities=cyberbrain": "it hampers psi aimed at its owner (EP-137)",
        "attacker.specialized=fray": "who is attacked dodges",
        "defender.specialized=guns": "who acts shoots",
        "defender.specialized=athletics": "who acts throws",
        "defender.specialized=perceive": "who acts looks",
    },
    "emlia": {
        "Row.high": "another leaves a face without a row, or gives it two: refused (EM-43)",
        "Troop.formation=*": "who joined stands in the formation of its unit (EM-50)",
        "Troop.speed": "who joined moves with its unit (EM-50)",
        "Troop.reach": "who joined is always in contact (EM-22)",
        "fighter.pinned": "nobody leaves the combat of a fight: there are no Free Strikes (EM-36)",
    },
    "grid-battles": {
        "attacker.abilities=battle_back": "only a defender battles back (GB-60)",
        "fighter.move": "a fight keeps no positions",
    },
}

LEFT: dict[str, Reasons] = {}
