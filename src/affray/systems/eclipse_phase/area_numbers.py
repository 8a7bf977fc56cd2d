"""From sheets and circumstances to the numbers of an attack on an area."""

from __future__ import annotations

from affray.core.step import cites
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.blast import Area, Blast, reach_at
from affray.systems.eclipse_phase.modifiers import traits_of
from affray.systems.eclipse_phase.state import Attack, Exchange
from affray.systems.eclipse_phase.tables import BEARINGS, SCATTER_GROWTH, VACUUM_FALLOFF

__all__ = ["area_of", "reaches_back"]

SCATTERING = frozenset({"thrown", "seeker", "charge"})
"""Forms of weapons that go off somewhere else when they miss."""


@cites("EP-46", "EP-102", "EP-103", "EP-104", "EP-105", "EP-108")
def area_of(x: Exchange) -> Area | None:
    """How the attack spreads over an area; None if it attacks single targets."""
    setup, weapon, rulings = x.declared, x.weapon_used, x.rulings
    blast, targets = weapon.blast, setup.targets
    if x.option == "suppress" or not (blast or "cone" in traits_of(setup, weapon)):
        return None
    area = Area(
        "cone",
        sheltered=tuple([
            who.sheltered or (not place and setup.cover != "none")
            for place, who in enumerate(targets)
        ]),
        objects=tuple([who.body == "object" for who in targets]),
        opposed=rulings[rule.AREA_FRAY] == "opposed",
        one_roll=rulings[rule.BLAST_DAMAGE] == "once",
    )  # fmt: skip
    if blast is None:
        return area
    placed, free = weapon.form == "charge", rulings[rule.CHARGE_TEST] == "no"
    return area._replace(
        shape=blast.shape,
        radius=blast.radius_m,
        falloff=_falloff(x, blast),
        effects=_effects_m(blast),
        spots=tuple([who.spot or 0.0 for who in targets]),
        tested=not (placed and free) or blast.shaped != "none" or any(area.objects),
        needs_test=(placed and not free) or weapon.form not in SCATTERING,
        settles=blast.sticky or blast.trigger != "timer",
        placed=placed,
        arc=blast.shaped,
        on_objects=placed and free,
        nearest=rulings[rule.BLAST_METERS] == "nearest",
        growth=SCATTER_GROWTH[rulings[rule.SCATTER_DOUBLED]],
        bearings=BEARINGS[rulings[rule.BEARINGS]],
        far_edge=rulings[rule.AREA_EDGE] == "damage",
    )


@cites("EP-102")
def reaches_back(x: Exchange, attack: Attack) -> bool:
    """Whether a blast that goes where it is aimed may reach whoever throws it, who is no target."""
    area, setup = attack.area, x.declared
    if area is None or area.shape == "cone" or area.placed or setup.distance_m is None:
        return False
    if any(who.name == setup.attacker.name for who in setup.targets):
        return False
    tens, sixes = attack.weapon_d10 + attack.d10, attack.weapon_d6 + attack.d6
    most = 0 if attack.no_damage else 10 * tens + 6 * sixes + attack.weapon_flat
    return reach_at(area, setup.distance_m, most) is not None


@cites("EP-102")
def _falloff(x: Exchange, blast: Blast) -> int:
    """DV lost for each meter: more in vacuum (A-64)."""
    spreads_badly = blast.shape == "uniform" or x.rulings[rule.VACUUM_BLAST] == "all"
    if x.declared.vacuum and spreads_badly:
        return max(blast.falloff, VACUUM_FALLOFF)
    return blast.falloff


@cites("EP-102")
def _effects_m(blast: Blast) -> float | None:
    """How far traits act; a uniform blast's not beyond its radius."""
    if blast.shape == "centered":
        return blast.effects_m
    return blast.radius_m if blast.effects_m is None else min(blast.effects_m, blast.radius_m)
