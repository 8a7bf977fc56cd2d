"""Commands: loaded when they are called, options gathered into records, arguments in the help."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, NoReturn

import click

__all__ = [
    "Command",
    "Commands",
    "Decorator",
    "argument",
    "command",
    "gathered",
    "option",
    "refuse",
]

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


class _Argument(click.Argument):
    """An argument that says what it is."""

    def __init__(self, *given: Any, help: str = "", **more: Any) -> None:  # noqa: A002  # as options
        super().__init__(*given, **more)
        self.meaning = help


class Command(click.Command):
    """A command whose help lists its arguments above its options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both lists."""
        rows = [
            (argument.make_metavar(ctx), argument.meaning)
            for argument in self.params
            if isinstance(argument, _Argument)
        ]
        if rows:
            with formatter.section("Arguments"):
                formatter.write_dl(rows)
        super().format_options(ctx, formatter)


class Commands(click.Group):
    """Commands by name, each in a module of its own choice that is loaded when it is needed.

    Args:
        where: for each command its module, and after a colon its function if that has another
            name.
        more: as for a group of click.
    """

    def __init__(self, where: Mapping[str, str], **more: Any) -> None:
        super().__init__(**more)
        self.where = where

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # as click has it
        """The names, in the order in which they are listed."""
        return list(self.where)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of this name."""
        if cmd_name not in self.where:
            return None
        module, _, name = self.where[cmd_name].partition(":")
        found: click.Command = getattr(import_module(module), name or cmd_name)
        return found


def command(example: str) -> Callable[[Function], Command]:
    """Make a function the command of an example, which stands at the end of its help."""
    return click.command(example.split()[1], cls=Command, epilog=f"Example: {example}")


def option(*names: str, **more: Any) -> Decorator:
    """An option of a command; see click."""
    return click.option(*names, **more)


def argument(name: str, metavar: str, help: str, **more: Any) -> Decorator:  # noqa: A002
    """An argument of a command, with what it is for the help."""
    return click.argument(name, cls=_Argument, metavar=metavar, help=help, **more)


def gathered(into: str, make: Function, *options: Decorator) -> Decorator:
    """Options that reach the command as one value.

    Args:
        into: the parameter that takes it.
        make: makes the value: a record or a function; its parameters are called as the options are.
        options: the options, in the order of the help.
    """
    names: tuple[str, ...] = getattr(make, "_fields", ()) or tuple(
        inspect.signature(make).parameters
    )

    def decorated(function: Function) -> Function:
        @wraps(function)
        def called(**given: Any) -> Any:
            made = make(**{name: given.pop(name) for name in names})
            return function(**given, **{into: made})

        found: Function = called
        for one in reversed(options):
            found = one(found)
        return found

    return decorated


def refuse(name: str, why: str) -> NoReturn:
    """Refuse an option: exit status 2."""
    raise click.BadParameter(why, param_hint=name)
