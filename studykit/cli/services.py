"""What a practice is handed: the services of this run, from its context."""

from typing import TYPE_CHECKING

from studykit.cli.context import Context
from studykit.cli.display import open_ui, settings
from studykit.practice.services import Services

if TYPE_CHECKING:
    from studykit.sandbox.client import Worker


def services(context: Context) -> Services:
    """The services of this run; the store and the Ui are opened when a practice first asks for them."""
    from functools import partial

    return Services(
        open_store=lambda: context.store,
        seed=context.seed,
        now=context.now,
        today=context.today,
        settings=partial(settings, context),
        open_ui=partial(open_ui, context),
        open_worker=partial(_open_worker, context),
        write=context.write,
        tell=context.tell,
    )


def _open_worker(context: Context, backend: str) -> "Worker":
    """This user's warm worker, or a private one where `STUDYKIT_WORKER=0` says so."""
    from studykit.sandbox.launcher import open_worker, runtime_folder

    shared = context.environ.get("STUDYKIT_WORKER", "1") != "0"
    runtime = runtime_folder(context.environ.get("XDG_RUNTIME_DIR")) if shared else None
    return open_worker(backend=backend, shared=shared, runtime=runtime)
