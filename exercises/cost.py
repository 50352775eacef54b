"""What a run costs besides devices."""

from studykit.exercise import Template

from ._slips import over, scaled, slip

ENERGY = Template(
    id="cost.energy",
    objective="utilization",
    units={"watt": "W", "days": "day", "price": "$"},
    grid={
        "n": (256, 1024, 4096, 16384),
        "watt": (700, 1000, 1200),
        "pue": (1.1, 1.25, 1.4),
        "days": (14, 30, 54),
        "price": (0.06, 0.08, 0.12),
    },
    prompt="{n} GPUs draw {watt} W each for {days} days; the data centre takes {pue} times that in all (its "
    "PUE). A kWh costs ${price}. How much does the electricity cost?",
    answer=lambda v: v.kilowatt_hours * v.price,
    unit="$",
    tolerance=0.03,
    slips=(
        slip("forgot_pue", over("pue"), "What else draws power?", "Cooling and losses are in the PUE."),
        slip("days_for_hours", scaled(1 / 24)),
        slip("forgot_kilo", scaled(1000), "Watts or kilowatts?", "A kilowatt is 1,000 watts."),
        slip("forgot_gpus", over("n")),
        slip(
            "divided_by_pue",
            lambda v: v.answer / v.pue**2,
            "Does a PUE make it more or less?",
            "The PUE multiplies.",
        ),
    ),
    hints=(
        "How much power does the whole building draw?",
        "Devices × watts × PUE.",
        "Energy is power × time: {days} days of 24 hours, in kWh.",
    ),
    solution=(
        "power: {n} × {watt} W × {pue} = {power:W}",
        "energy: × {days} × 24 h = {kilowatt_hours:n} kWh",
        "× ${price} = {answer:$}",
    ),
    given={
        "power": lambda v: v.n * v.watt * v.pue,
        "kilowatt_hours": lambda v: v.power / 1000 * v.days * 24,
    },
)

EXERCISES = (ENERGY,)
