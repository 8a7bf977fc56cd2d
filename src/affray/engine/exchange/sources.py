"""Sources of answers for a session: dice rolled by the computer, a script, a policy.

Sources are freely mixed: `drive` asks each in turn until one answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping

from affray.core.dice import Die, Face
from affray.core.errors import AnswerError
from affray.core.node import At, Choice, Facts, Option
from affray.engine.exchange.session import Answer, Question, Session

__all__ = ["Entropy", "ForActor", "Policy", "Script", "Seeded", "Source", "drive"]

Source = Callable[[Session, Question], Answer | None]
"""Somebody who may answer: None leaves the question to the next source."""


class Entropy:
    """Rolls with the operating system's entropy: no log can tell what comes next."""

    label = "entropy"

    def __init__(self) -> None:
        self._random: random.Random = random.SystemRandom()

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __call__(self, session: Session, question: Question) -> Answer | None:  # noqa: ARG002
        """Faces for a roll; choices are left to others."""
        if question.dice is None:
            return None
        faces = tuple(map(self.face, question.dice.dice))
        return Answer(faces=faces, by=(self.label,) * len(faces))

    def face(self, die: Die) -> Face:
        """The face that a single die comes to show."""
        return self._random.choices(die.faces, die.weights)[0]

    def went_on(self, answers: Iterable[Answer]) -> None:
        """Go on where so many faces have come; whoever has no seed goes on anywhere."""


class Seeded(Entropy):
    """Rolls that come again with the same seed; for simulations and examples."""

    label = "seed"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = random.Random(seed)

    def __repr__(self) -> str:
        return f"Seeded({self.seed})"

    def went_on(self, answers: Iterable[Answer]) -> None:
        """Go on after the faces of these answers that came from a seed.

        Whoever takes an answer back and gives it again gets the same faces, and whoever gives
        another one no second chance.
        """
        self._random = random.Random(self.seed)
        for _ in range(sum(one.by.count(self.label) for one in answers if one.faces)):
            self._random.random()  # a die takes one number


class Script:
    """Faces and options written down beforehand, used up in order.

    Attributes:
        faces: faces that are left; a roll takes as many as it has dice.
        choices: options that are left.
    """

    def __init__(
        self, faces: Iterable[Face] = (), choices: Iterable[str] = (), *, by: str = "script"
    ) -> None:
        self.faces = list(faces)
        self.choices = list(choices)
        self.by = by

    def __repr__(self) -> str:
        return f"Script({self.faces!r}, {self.choices!r})"

    def __call__(self, session: Session, question: Question) -> Answer | None:  # noqa: ARG002
        """The next faces or the next option, or None when there are none left."""
        if question.dice is None:
            if not self.choices:
                return None
            return Answer(option=self.choices.pop(0), by=(self.by,))
        if not self.faces:
            return None
        size = question.dice.size
        if len(self.faces) < size:
            raise AnswerError(
                f"{question.step} ({question.ask}) rolls {question.dice}, {size} faces; only "
                f"{len(self.faces)} are left: {', '.join(map(str, self.faces))}"
            )
        taken, self.faces = self.faces[:size], self.faces[size:]
        return Answer(faces=tuple(taken), by=(self.by,) * size)


class Policy:
    """Decides by a policy, such as `Solution.decide`; rolls nothing."""

    def __init__(
        self, decide: Callable[[At[Facts], Choice[Facts]], Option[Facts]], *, by: str = "policy"
    ) -> None:
        self.decide = decide
        self.by = by

    def __repr__(self) -> str:
        return f"Policy({getattr(self.decide, '__self__', self.decide)!r})"

    def __call__(self, session: Session, question: Question) -> Answer | None:
        """The option that the policy takes; rolls are left to others."""
        if question.dice is not None:
            return None
        node = session.node
        if not isinstance(node, Choice):
            return None
        return Answer(option=self.decide(session.here, node).name, by=(self.by,))


class ForActor:
    """Gives every actor a source of their own; actors without one are left to others."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = dict(sources)

    def __repr__(self) -> str:
        return f"ForActor({self.sources!r})"

    def __call__(self, session: Session, question: Question) -> Answer | None:
        """The answer of the actor's own source."""
        source = self.sources.get(question.actor)
        return source(session, question) if source else None


def drive(session: Session, *sources: Source) -> Session:
    """Let sources answer until it is over, or until none of them has an answer.

    Args:
        session: where to start.
        sources: asked in this order; the first answer counts.

    Raises:
        AnswerError: a source gave an answer that the question does not allow.
    """
    while (question := session.question) is not None:
        for source in sources:
            given = source(session, question)
            if given is not None:
                session = session.answer(given)
                break
        else:
            break
    return session
