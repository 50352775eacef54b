"""Ask what a run costs besides devices."""

from studykit.exercise import Check, Template

from ._slips import over, scaled, slip

WATTS = {700: 1275, 1000: 1790}
"""Watts of an eighth of a machine by those of its GPU: DGX H100 10.2 kW, DGX B200 14.3 kW (NVIDIA)."""

ENERGY = Template(
    id="cost.energy",
    objective="utilization",
    units={"gpu": "W", "watt": "W", "days": "day", "price": "$"},
    grid={
        "G": (256, 1024, 4096, 16384),
        "gpu": tuple(WATTS),
        "watt": lambda v: (WATTS[v.gpu],),
        "pue": (1.1, 1.25, 1.4),
        "days": (14, 30, 54),
        "price": (0.06, 0.08, 0.12),
    },
    prompt="{G} GPUs run for {days} days. Each draws {gpu} W itself and {watt} W with its share of the server "
    "(CPUs, network, fans). The data center has a PUE of {pue}: it draws that many times what its servers draw. A "
    "kWh costs ${price}. How much does the electricity cost?",
    answer=lambda v: v.kilowatt_hours * v.price,
    unit="$",
    tolerance=0.03,
    slips=(
        slip("gpus_alone", lambda v: v.answer * v.gpu / v.watt),
        slip("gpus_twice", lambda v: v.answer * (v.gpu + v.watt) / v.watt),
        slip("forgot_pue", over("pue")),
        slip("forgot_24", scaled(1 / 24)),
        slip("forgot_kilo", scaled(1000)),
        slip("forgot_gpus", over("G")),
        slip("divided_by_pue", lambda v: v.answer / v.pue**2),
    ),
    checks=(
        Check(lambda v: v.watt >= v.gpu, "a GPU of {gpu} W with its server draws more than {watt} W"),
        Check(lambda v: v.pue >= 1, "a building draws at least what its servers draw, a PUE of 1"),
    ),
    hints=(
        "How much power does the whole building draw?",
        "GPUs × watts of GPU and server share × PUE.",
        "Energy is power × time: {days} days of 24 hours, in kWh.",
    ),
    solution=(
        "power: {G} × {watt} W × {pue} = {power:W}",
        "energy: × {days} × 24 h = {kilowatt_hours:n} kWh",
        "× ${price} = {answer:$}",
    ),
    given={
        "power": lambda v: v.G * v.watt * v.pue,
        "kilowatt_hours": lambda v: v.power / 1000 * v.days * 24,
    },
    version=2,
    renamed={2: {"n": "G"}},
)

EXERCISES = (ENERGY,)
