"""What every command takes: where, which project, how much to say, and in which form."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from commonplace.domain.errors import UserError
from commonplace.domain.scope import is_project_id
from commonplace.settings import Settings, load


@dataclass(slots=True)
class Choices:
    """The options all commands share, given before or after the command's name."""

    home: str | None = None
    project: str | None = None
    as_json: bool = False
    is_verbose: bool = False
    is_quiet: bool = False

    def settings(self, **flags: Any) -> Settings:  # noqa: ANN401 - any setting's value
        """The settings, these choices and the command's own flags on top."""
        shared = {"home": self.home and Path(self.home), "default_project": self.project}
        if self.is_verbose:
            shared["log_level"] = "DEBUG"
        elif self.is_quiet:
            shared["log_level"] = "ERROR"
        settings = load({**shared, **flags})
        if not is_project_id(settings.default_project):
            raise UserError(
                f"{settings.default_project!r} cannot name a project; use letters, digits and "
                "._- with / between, such as docs or team/docs"
            )
        return settings

    def embed_command(self, project: str) -> str:
        """What to type here to finish a project's vectors."""
        usual = replace(self, project=None).settings().default_project
        return "commonplace embed" if project == usual else f"commonplace embed --project {project}"


def choices_of(context: click.Context) -> Choices:
    """The choices of this run; made at the first option that needs them."""
    return context.ensure_object(Choices)


def _keep(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def keep(context: click.Context, _: click.Parameter, given: object) -> None:
        # An option not given must not undo the same option given before the command's name.
        if given not in (None, False):
            setattr(choices_of(context), name, given)

    return keep


def _shared(flag: str, name: str, **option: Any) -> click.Option:  # noqa: ANN401 - click's own
    return click.Option(
        [*flag.split("/"), name], callback=_keep(name), expose_value=False, is_eager=True, **option
    )


def shared_options() -> list[click.Option]:
    """Fresh copies of the options every command takes."""
    return [
        _shared("--home", "home", metavar="FOLDER", help="Data folder instead of ~/.commonplace."),
        _shared("--project", "project", metavar="ID", help="Project to work in."),
        _shared("--json", "as_json", is_flag=True, help="Write JSON to standard output."),
        _shared("-v/--verbose", "is_verbose", is_flag=True, help="Say more; show tracebacks."),
        _shared("-q/--quiet", "is_quiet", is_flag=True, help="No progress, only what failed."),
    ]


class Command(click.Command):
    """A command that also takes the shared options it does not define itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*args, **kwargs)
        own = {flag for param in self.params for flag in param.opts}
        self.params += [option for option in shared_options() if own.isdisjoint(option.opts)]


class Group(Command, click.Group):
    """A group of commands; its commands take the shared options too."""

    command_class = Command
