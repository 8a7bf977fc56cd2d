"""A loop in a procedure: the last step of a round leads back to the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from affray.core.errors import RulesError

if TYPE_CHECKING:
    from affray.core.node import Facts, Step

__all__ = ["Loop"]

F = TypeVar("F", bound="Facts")


class Loop(Generic[F]):
    """The step with which a procedure goes round, for the chapter that ends the round.

    Chapters import each other in the book's order only. A later chapter that leads back to an
    earlier one declares a loop, and the list of steps, which knows all chapters, closes it:

        NEXT_ATTACK: Loop[Exchange] = Loop("the next attack")      # aftermath.py
        return Go(NEXT_ATTACK.step, after)

        aftermath.NEXT_ATTACK.leads_to(declaration.declare_attack)  # steps.py
    """

    __slots__ = ("_name", "_step")

    def __init__(self, name: str) -> None:
        self._name = name
        self._step: Step[F] | None = None

    @property
    def step(self) -> Step[F]:
        """The step to which it leads back.

        Raises:
            RulesError: nobody has closed the loop.
        """
        if self._step is None:
            raise RulesError(
                f"the loop to {self._name} is open; close it where the steps are listed, with "
                "leads_to(the first step of the round)"
            )
        return self._step

    def leads_to(self, step: Step[F]) -> None:
        """Close the loop.

        Raises:
            RulesError: it leads to another step already.
        """
        if self._step not in {None, step}:
            raise RulesError(f"the loop to {self._name} leads to {self._step} already")
        self._step = step
