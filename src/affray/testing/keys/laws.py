"""A key that is accepted matters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from affray.core.lazy import NamedTuple
from affray.core.sheet import informs
from affray.testing.cases import Case
from affray.testing.keys.search import Search
from affray.testing.keys.sheets import IN_FIGHTS, ROLES, Key, fight_keys_of, keys_of, role_keys_of
from affray.testing.keys.trials import FightTrial, fight_trials_of, trials_of
from affray.testing.law import Law, law
from affray.testing.material import Material, Witness

__all__ = ["LAWS", "is_shown", "witnesses"]

SHORT, LONG = (60, 40), (150, 400)
FIGHTS = (300, 600)
"""The number of changed plays to try: of examples, and of situations made from them."""

_CARRY_OUT = (
    "Carry it out, add an example in which it counts, refuse it with its clause, mark it "
    "as INFORMS if it is for people only, or give the reason in idle_keys.toml."
)


# -- which keys ----------------------------------------------------------------------------------


def _search(material: Material) -> Search:
    """The setups and fights in which keys are tried."""
    if "search" not in material.kept:
        system = material.system
        trials = [*trials_of(system), *fight_trials_of(system, material.more_fights)]
        material.kept["search"] = Search(system, trials)
    found: Search = material.kept["search"]
    return found


def _fights(material: Material) -> Search:
    """The fights in which keys are tried that only fights have."""
    if "fights alone" not in material.kept:
        trials = [one for one in _search(material).trials if isinstance(one, FightTrial)]
        material.kept["fights alone"] = Search(material.system, trials)
    found: Search = material.kept["fights alone"]
    return found


class _Listed(NamedTuple):
    """Keys of a system, and the entry of the list of idle keys that means each of them."""

    plain: tuple[Key, ...]
    in_fights: tuple[Key, ...]
    entries: Mapping[str, str]


def _listed(material: Material) -> _Listed:
    if "listed keys" not in material.kept:
        material.kept["listed keys"] = _list_keys(material)
    found: _Listed = material.kept["listed keys"]
    return found


def _list_keys(material: Material) -> _Listed:
    setup = material.system.setup
    plain = tuple(
        key for key in (*keys_of(setup), *role_keys_of(setup))
        if not (informs(key.sheet, key.name) or _says_who_fights(material, key))
    )  # fmt: skip
    in_fights = tuple(
        key for key in fight_keys_of(material.system) if not informs(key.sheet, key.name)
    )
    entries = {}
    for key in (*plain, *in_fights):
        name = str(key)
        whole = f"{name.partition('=')[0]}=*"
        if name in material.idle or whole in material.idle:
            entries[name] = name if name in material.idle else whole
    return _Listed(plain, in_fights, entries)


def _says_who_fights(material: Material, key: Key) -> bool:
    """Whether a key says who fights: then keys of fighters matter instead."""
    system = material.system
    return system.fight is not None and key.sheet is system.setup and key.name in ROLES


def _cases(keys: tuple[Key, ...]) -> Iterator[Case]:
    yield from (Case(f"key {key}", key) for key in keys)


def _accepted(material: Material) -> Iterator[Case]:
    listed = _listed(material)
    if _search(material).trials:
        yield from _cases(tuple(key for key in listed.plain if str(key) not in listed.entries))


def _of_fights(material: Material) -> Iterator[Case]:
    listed = _listed(material)
    in_setups = {name for name in map(str, listed.plain) if name in listed.entries}
    if _fights(material).trials:
        yield from _cases(tuple(
            key for key in listed.in_fights
            if str(key) not in listed.entries
            and f"{key.sheet.__name__}.{key.name}" not in in_setups
        ))  # fmt: skip


def _informing(material: Material) -> Iterator[Case]:
    if _search(material).trials:
        keys = keys_of(material.system.setup)
        yield from _cases(tuple(key for key in keys if informs(key.sheet, key.name)))


def _idle(material: Material) -> Iterator[Case]:
    yield from (Case(f"idle_keys.toml: {entry}", entry) for entry in material.idle)


# -- the laws ------------------------------------------------------------------------------------


def _changes_nothing(material: Material, key: Key, tries: tuple[int, int]) -> bool:
    """Whether no value of a key changes anything, in a setup or in a fight."""
    if _search(material).refused(key) or _search(material).matters(key, *tries) is not None:
        return False
    fights = _fights(material)
    return key.role != "" or not fights.trials or fights.matters(key, *tries) is None


def is_shown(material: Material, key: Key) -> bool:
    """Whether the witness that is known of a key still shows that it matters."""
    witness = material.witnesses.get(str(key))
    return witness is not None and any(
        search(material).shows(key, witness) for search in _searches(key)
    )


def _searches(key: Key) -> Sequence[Callable[[Material], Search]]:
    """The searches that may find a witness of a key."""
    if key.role in IN_FIGHTS:
        return (_fights,)
    return (_search,) if key.role else (_search, _fights)


def witnesses(material: Material) -> Mapping[str, Witness]:
    """A witness for each key: the one that is known if it still holds, else what a search finds.

    A key that some value is refused of at once, or that nothing shows to matter, has none.
    """
    found = {}
    for case in (*_accepted(material), *_of_fights(material)):
        key: Key = case.thing
        if is_shown(material, key):
            found[str(key)] = material.witnesses[str(key)]
            continue
        tries = FIGHTS if key.role in IN_FIGHTS else LONG
        for search in _searches(key):
            matters = search(material).matters(key, *tries)
            if matters is not None and matters.witness is not None:
                found[str(key)] = matters.witness
                break
    return found


@law("keys", _CARRY_OUT, over=_accepted)
def every_key_of_a_setup_matters(material: Material, key: Key) -> Iterator[str]:
    """Some value of every key changes a question, a roll, the log or an outcome, or is refused."""
    if not is_shown(material, key) and _changes_nothing(material, key, LONG):
        yield "it is accepted, and no value of it changes anything"


@law("keys", _CARRY_OUT, over=_of_fights)
def every_key_of_a_fighter_matters_in_fights(material: Material, key: Key) -> Iterator[str]:
    """Some value of every key of a fighter or a situation changes something in a fight."""
    search = _fights(material)
    if not (is_shown(material, key) or search.refused(key) or search.matters(key, *FIGHTS)):
        yield "it is accepted in fights, and no value of it changes anything there"


@law("keys", "Take the mark INFORMS from the key.", over=_informing)
def keys_that_only_inform_change_no_outcome(material: Material, key: Key) -> Iterator[str]:
    """A key that is there for people changes no roll and no outcome."""
    if key in _unchanging(material, "informing"):
        return
    found = _search(material).matters(key)
    if found is not None and found.how != "log":
        yield f"it is marked as INFORMS, but matters: {found.how} ({found.where})"


@law("keys", "Take the entry out of idle_keys.toml.", over=_idle)
def idle_keys_are_idle(material: Material, entry: str) -> Iterator[str]:
    """A key that is listed as idle exists, and changes nothing."""
    listed, key = _listed(material), _meant(material).get(entry)
    if key is None:
        yield "there is no such key"
        return
    in_fights = key in listed.in_fights
    if key in _unchanging(material, "idle in fights" if in_fights else "idle"):
        return
    tries, search = (FIGHTS, _fights) if in_fights else (SHORT, _search)
    found = search(material).matters(key, *tries)
    if found is not None:
        yield f"it matters: {found.how} ({found.where})"


def _meant(material: Material) -> Mapping[str, Key]:
    """The key that each entry of idle keys means; of all words that have no effect, the first."""
    listed = _listed(material)
    found: dict[str, Key] = {}
    for key in (*listed.plain, *listed.in_fights):
        if str(key) in listed.entries:
            found.setdefault(listed.entries[str(key)], key)
    return found


def _unchanging(material: Material, kind: str) -> Collection[Key]:
    """Those keys that inform, or are listed as idle, of which it is plain that they do nothing."""
    if kind not in material.kept:
        fights = _listed(material).in_fights
        informing = [case.thing for case in _informing(material)]
        idle = [key for key in _meant(material).values() if key not in fights]
        if kind == "idle in fights":
            keys = [key for key in _meant(material).values() if key in fights]
            material.kept[kind] = _fights(material).unchanging(keys, log=True)
        elif kind == "both":
            material.kept[kind] = _search(material).unchanging([*informing, *idle], log=True)
        elif kind == "idle":
            material.kept[kind] = frozenset(idle).intersection(_unchanging(material, "both"))
        else:
            left = frozenset(informing).difference(_unchanging(material, "both"))
            after = _search(material).unchanging(left, log=False) if left else frozenset[Key]()
            material.kept[kind] = frozenset(informing) - left | after
    found: Collection[Key] = material.kept[kind]
    return found


LAWS: tuple[Law, ...] = (
    every_key_of_a_setup_matters,
    every_key_of_a_fighter_matters_in_fights,
    keys_that_only_inform_change_no_outcome,
    idle_keys_are_idle,
)
