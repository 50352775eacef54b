"""List the exercises that match the assignments of courses, in the order of the assignments, with other sizes."""

COURSES = {
    "cs336": (
        "params.exact model=MHA; mem.shape_state what=weights",
        "flops.shape_forward part=whole",
        "; ".join(f"flops.shape_forward part={part}" for part in ("QKVO", "scores", "MLP", "output")),
        "flops.shape_share",
        "flops.longer_context",
        "mem.shape_activations; mem.shape_state what=state; mem.shape_total",
        "mem.shape_activations b=1; mem.shape_max_batch",
        "flops.adamw_step",
        "time.shape_hours",
        "comm.ring_time ring=whole",
        "comm.layer_flops case=DP-backward",
        "comm.layer_time case=DP-backward",
        "comm.layer_largest case=DP-backward",
        "comm.layer_flops case=FSDP-forward; comm.layer_flops case=FSDP-backward",
        "comm.layer_time case=FSDP-forward; comm.layer_time case=FSDP-backward",
        "comm.layer_largest case=FSDP-forward",
        "comm.layer_flops case=TP-forward",
        "comm.layer_time case=TP-forward",
        "comm.layer_largest case=TP-forward",
        "comm.grid_flops",
        "comm.grid_time",
        "comm.grid_largest wires=own",
        "comm.grid_largest wires=shared",
        "remat.forwards schedule=nothing; remat.forwards schedule=halves",
        "remat.every; remat.best_every; remat.best_peak",
    ),
}
"""By the name of the set; a deliverable is done when each of its questions was answered right."""
