"""What follows a run in which a learner recorded something: a backup, if one is due, once everything is told."""

from studykit.cli.context import Context


def back_up_after_recording() -> None:
    """Let every run of this process end so."""
    Context.after_recording = _save


def _save(context: Context) -> None:
    from studykit.cli.backup_run import back_up_if_due
    from studykit.store.unsafe_place import place_of

    back_up_if_due(context, "session")
    file = context.address.file
    if file is not None and (why := place_of(file)) is not None:
        from studykit.cli.health_places import warn_of_place

        warn_of_place(context, file, why)
