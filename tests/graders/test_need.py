"""Whether a result needs the calls that are asked for: decided from a flow and from which steps are equal."""

import ast
from collections.abc import Callable, Sequence
from random import Random

import pytest
from rewrites import task
from trusted_grade import TrustedGrade, ask

from studykit.exercise.rewrite import trial
from studykit.exercise.verdict import Refused
from studykit.graders.host.necessity import Necessity
from studykit.graders.rewrite import arithmetic, flow, need, sizes
from studykit.graders.rewrite.flow import Flow
from studykit.graders.rewrite.need import Equalities, Need, Way
from studykit.graders.rewrite.whitelist import Offence
from studykit.sandbox.channel import Message


def read(body: str, signature: str = "f(x, h)") -> Flow:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return flow.read(ast.parse(f"def {signature}:\n{lines}"))


def seen(
    found: Flow,
    equal: dict[int, int] | None = None,
    fixed: Sequence[int] = (),
    counts: dict[int, int] | None = None,
) -> Equalities:
    """What a child would tell where these steps are equal to earlier ones."""
    classes = tuple((equal or {}).get(place, place) for place in range(len(found.steps)))
    numbers = tuple((counts or {}).get(place, 6) for place in range(len(found.steps)))
    return Equalities({"values": classes}, numbers, frozenset(fixed))


def changes_nothing(body: str, name: str, equal: dict[int, int] | None = None, fixed: Sequence[int] = ()) -> bool:
    found = read(body)
    return Need(found, name, [seen(found, equal, fixed)], "values").changes_nothing


SUM = "return x * rearrange(h, 'a')"  # 0 x, 1 h, 2 'a', 3 the call, 4 the product


def test_a_result_that_is_made_from_a_call_needs_it() -> None:
    assert not changes_nothing(SUM, "rearrange")


def test_a_call_that_gives_what_was_there_changes_nothing() -> None:
    assert changes_nothing(SUM, "rearrange", {3: 1})
    assert changes_nothing(SUM, "rearrange", {4: 0})


def test_a_call_that_the_inputs_do_not_change_changes_nothing() -> None:
    assert changes_nothing(SUM, "rearrange", fixed=[3])
    assert changes_nothing(SUM, "rearrange", fixed=[4])
    assert not changes_nothing(SUM, "rearrange", fixed=[1])


@pytest.mark.parametrize(
    ("body", "works"),
    [
        ("return einsum(x, y, 'a')", True),
        ("return einsum(x, x, 'a')", False),
        ("return einsum(x + 1, x, 'a')", False),
    ],
)
def test_an_einsum_of_one_argument_is_idle_and_of_two_is_not(body: str, *, works: bool) -> None:
    found = read(body, "f(x, y)")

    assert Need(found, "einsum", [seen(found)], "values").is_idle is not works


def test_what_is_never_called_is_not_used_either() -> None:
    (told,) = need.unused(read("return x"), task("split_heads"))

    assert (told.line, told.what) == (0, "the unused result of `rearrange`")


def test_sizes_that_parse_shape_gives_are_not_asked_for() -> None:
    assert list(need.asked(task("read_shape"))) == []
    assert list(need.asked(task("multi_head_attention"))) == ["rearrange", "einsum"]


def test_a_call_that_nothing_takes_is_not_needed() -> None:
    assert changes_nothing("rearrange(h, 'a')\nreturn x + 1", "rearrange")


def test_steps_must_be_equal_in_every_computation() -> None:
    found = read(SUM)

    one, other = seen(found, {3: 1}, [3]), seen(found)

    assert not Need(found, "rearrange", [one, other], "values").changes_nothing
    assert Need(found, "rearrange", [one, one], "values").changes_nothing


def test_a_later_step_without_the_call_stands_in_for_an_earlier_one_with_it() -> None:
    body = "y = rearrange(x, 'a')\nz = x + 1\nreturn y * 2 + z"  # 0 x, 1 'a', 2 y, 3 1, 4 z, 5 2, 6 y * 2, 7

    assert not changes_nothing(body, "rearrange")
    assert changes_nothing(body, "rearrange", {4: 2})


def test_the_shape_of_a_call_is_no_value_of_it() -> None:
    assert changes_nothing("return x * rearrange(x, 'a').shape[0]", "rearrange")


def test_what_is_left_of_the_calls_is_replaced_and_all_that_equals_it() -> None:
    found = read("y = rearrange(x, 'a')\nz = rearrange(h, 'a')\nreturn [y + 0, z, x, y * h]")
    # 0 x, 1 h, 2 'a', 3 y, 4 z, 5 0, 6 y + 0, 7 y * h, 8 the list
    needed = Need(found, "rearrange", [seen(found, {4: 1, 6: 3})], "values")

    assert (list(needed.carries), needed.same) == ([0, 1, 2, 5, 4], [0, 1, 2, 3, 1, 5, 3, 7, 8])
    assert needed.left() == [[3, 6]]
    assert needed.left(frozenset([3, 6])) == []
    assert needed.left(frozenset([7])) == [[3, 6]]


TWO = "y = rearrange(x, 'a')\nz = rearrange(h, 'a')\nreturn y * z"  # 0 x, 1 h, 2 'a', 3 y, 4 z, 5 y * z


def needless(body: str, right: Callable[[Sequence[Way]], bool]) -> bool:
    found = read(body)
    needed = Need(found, "rearrange", [seen(found)], "values")
    return needed.is_needless(lambda tried: [right(ways) for ways in tried])


def test_calls_are_replaced_each_in_its_own_way_until_none_is_left() -> None:
    assert not needless(TWO, lambda _: False)
    assert not needless(TWO, lambda ways: list(ways) == [("zeros", [3])])
    assert needless(TWO, lambda ways: list(ways) in ([("zeros", [3])], [("zeros", [3]), ("noise", [4])]))
    assert needless(TWO, lambda ways: list(ways) == [("others", [3, 4])])


def test_calls_that_can_all_be_replaced_are_replaced_in_one_round() -> None:
    asked = []

    def right(ways: Sequence[Way]) -> bool:
        asked.append(list(ways))
        return all(by == "ones" and places != [3, 4] for by, places in ways)

    assert needless(TWO, right)
    assert asked[-1] == [("ones", [3]), ("ones", [4])]
    assert len(asked) == len(need.REPLACEMENTS) * 3 + 1


def test_of_calls_that_cannot_be_replaced_together_one_is() -> None:
    ways = ([("ones", [3])], [("ones", [4])], [("ones", [3]), ("zeros", [4])])

    assert needless(TWO, lambda tried: list(tried) in ways)


@pytest.mark.parametrize(
    ("call", "counts", "works"),
    [
        ("reduce(x, 'a', 'sum')", {0: 6, 3: 5}, True),
        ("reduce(x, 'a', 'sum')", {0: 6, 3: 6}, False),
        ("repeat(x, 'a')", {0: 6, 2: 7}, True),
        ("repeat(x, 'a')", {0: 6, 2: 6}, False),
        ("einsum(x, 'a')", {0: 6, 2: 6}, False),
        ("einsum(x, 'a')", {0: 6, 2: 5}, True),
        ("einsum(x, h, 'a')", {0: 6, 1: 6, 3: 6}, True),
        ("einsum(x * h, 'a')", {0: 6, 1: 6, 2: 6, 4: 6}, False),
        ("einsum(x, x, 'a')", {0: 6, 2: 6}, False),
        ("einsum(x, x, 'a')", {0: 6, 2: 36}, True),
        ("rearrange(x, 'a')", {0: 6, 2: 6}, True),
        ("reduce(tensor=x, pattern='a')", {0: 6, 2: 6}, False),
    ],
)
def test_a_call_works_where_it_does_what_its_name_says(call: str, counts: dict[int, int], *, works: bool) -> None:
    found = read(f"return {call}")
    asked = Need(found, call.partition("(")[0], [seen(found, counts=counts)], "values")

    assert asked.is_idle is not works
    assert asked.changes_nothing is not works


@pytest.mark.parametrize(
    ("name", "body", "plain"),
    [
        ("split_heads", "return rearrange(x, 'a')", True),
        ("split_heads", "y = rearrange(x, 'a')\nreturn rearrange([y], 'b')[0]", True),
        ("split_heads", "a, b = rearrange(x, 'a', h=h)\nreturn a", True),
        ("split_heads", "return rearrange(x, 'a', d=x.shape[2] // h)", True),
        ("split_heads", "return rearrange(x, 'a') / h", True),
        ("split_heads", "return rearrange(x, 'a') * 2", True),
        ("split_heads", "return rearrange(x, 'a') / x.shape[1]", True),
        ("split_heads", "return 2 * rearrange(x, 'a')", False),
        ("split_heads", "return rearrange(x, 'a') * x", False),
        ("split_heads", "return rearrange(x * 2, 'a')", False),
        ("split_heads", "return -rearrange(x, 'a')", False),
        ("split_heads", "return rearrange(repeat(x, 'a'), 'a')", False),
        ("split_heads", "return x / rearrange(x, 'a').shape[0]", False),
        ("split_heads", "return rearrange([x] * h, 'a')", False),
        ("group_norm", "return rearrange(x, 'a')", False),
        ("split_heads", "return rearrange(x, h=h * h, pattern='a')", True),
        ("split_heads", "return x * rearrange(h, 'a')", False),
    ],
)
def test_where_the_one_call_alone_meets_the_tensors_nothing_else_is_asked(
    name: str, body: str, *, plain: bool
) -> None:
    assert need.is_plain(read(body, task(name).signature), task(name)) is plain


@pytest.mark.parametrize(
    ("name", "function", "result", "inputs", "wanted"),
    [
        ("split_heads", "rearrange", [1, 3, 2], [[1, 2, 3]], "rows"),
        ("split_heads", "rearrange", [1, 2, 3], [[1, 2, 3]], "values"),
        ("split_heads", "rearrange", [1, 2], [[1, 2, 3]], "rows"),
        ("mean_pool", "reduce", [1, 2], [[1, 2, 3]], "bags"),
        ("mean_pool", "reduce", [3, 2, 1], [[0], [1, 2, 3]], "values"),
        ("group_norm", "rearrange", [4, 5], [[1, 2]], "values"),
        ("group_norm", "reduce", [4, 5], [[1, 2]], "bags"),
        ("group_norm", "rearrange", [2, 1], [[1, 2]], "values"),
    ],
)
def test_what_is_no_work_of_a_function(
    name: str, function: str, result: Sequence[float], inputs: Sequence[Sequence[float]], wanted: str
) -> None:
    assert need.alike(task(name), function, result, inputs) == wanted


@pytest.mark.parametrize(
    ("name", "function", "wanted"),
    [
        ("split_heads", "rearrange", "rows"),
        ("flatten_all", "rearrange", "values"),
        ("mean_pool", "reduce", "bags"),
        ("split_pair", "unpack", "bags"),
        ("group_norm", "rearrange", "values"),
    ],
)
def test_what_is_no_work_is_found_from_the_right_results(name: str, function: str, wanted: str) -> None:
    grade = TrustedGrade(task(name))

    assert Necessity(task(name), grade.trials, grade.wanted, Random(1)).alike(function) == wanted


HEADER = {"classes": {"values": [0, 0, 2]}, "counts": [1, 2, 3], "fixed": [0, 2]}


def test_what_a_child_tells_is_read() -> None:
    assert Equalities.read(HEADER, 3) == Equalities({"values": (0, 0, 2)}, (1, 2, 3), frozenset([0, 2]))


@pytest.mark.parametrize("fixed", [None, "1", [3], [-1], ["1"], [True]])
def test_a_step_that_is_not_there_does_not_count_as_one_without_data(fixed: object) -> None:
    assert Equalities.read(HEADER | {"fixed": fixed}, 3).fixed == frozenset()


@pytest.mark.parametrize(
    "told",
    [
        {"classes": None},
        {"classes": {}},
        {"classes": {"values": [0, 0]}},
        {"classes": {"values": [0, 2, 2]}},
        {"classes": {"values": [0, -1, 2]}},
        {"classes": {"values": [0, "0", 2]}},
        {"classes": {"values": [0, 0, 2], "rows": [1, 1, 1]}},
        {"counts": [1, 2]},
        {"counts": None},
        {"counts": [1, 2, -1]},
    ],
)
def test_a_reply_that_describes_no_steps_is_not_believed(told: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"^no (classes|whole numbers)$"):
        Equalities.read(HEADER | told, 3)


def offences(name: str, body: str) -> list[Offence]:
    exercise = task(name)
    grade = TrustedGrade(exercise)
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return list(
        Necessity(exercise, grade.trials, grade.wanted, Random(1)).offences(
            f"def {exercise.signature}:\n{lines}", grade.ask
        )
    )


SPLIT = "return rearrange(x, 'b s (h d) -> b h s d', h=h)"


def test_what_is_missing_is_said_with_its_line_and_what_to_do() -> None:
    free = "y = repeat(x, 'b s (h d) -> b h s d', h=h)\n"

    assert offences("split_heads", free + "rearrange(x, 'b s d -> s b d')\nreturn y") == [
        Offence(
            3,
            "the unused result of `rearrange`",
            "What rearrange gives has to become the result, or a part of it.",
        )
    ]
    found = read("return rearrange(x, 'a')")
    assert need.needless(found, "rearrange", Need(found, "rearrange", [seen(found)], "values")) == Offence(
        2, "a needless `rearrange`", "The result is the same without what rearrange gives: let it do the work."
    )
    body = "m = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])\nm = reduce(m, 'b c -> b c', 'sum')\n"
    body += "s = sigmoid(einsum(m, w, 'b c, k c -> b k'))\nreturn x * rearrange(s, 'b c -> b c 1 1')"
    assert offences("squeeze_excite", body) == [
        Offence(3, "a needless `reduce`", "It reduces nothing: let it do the work.")
    ]
    assert offences("split_heads", "y = x[0]\nreturn rearrange(x, 'b s (h d) -> b h s d', h=h)") == [
        Offence(2, "an unused part of a tensor", "Take it out: nothing takes what it gives.")
    ]
    assert offences("split_heads", "repeat(x, 'b s d -> b s d h', h=h)\n" + SPLIT) == [
        Offence(2, "the unused result of `repeat`", "Take it out: nothing takes what it gives.")
    ]
    assert offences("split_heads", "y = -x\n" + SPLIT) == [
        Offence(2, "the unused result of `-`", "Take it out: nothing takes what it gives.")
    ]
    assert offences("split_heads", "return print") == [Offence(2, "`print`, which is no value of the answer")]


@pytest.mark.parametrize(
    "reply",
    [
        Refused("it is too large"),
        Message({}),
        Message({"value": {"plain": 1}}),
        Message({"value": {"tensor": {}}}, (b"",)),
        Message({"error": {}}),
    ],
)
def test_an_answer_that_cannot_be_followed_does_not_pass(reply: Message | Refused) -> None:
    exercise = task("rms_norm")
    grade = TrustedGrade(exercise)

    told = list(
        Necessity(exercise, grade.trials, grade.wanted, Random(1)).offences(exercise.solution, lambda *_: reply)
    )

    assert told == [Offence(0, "a result that cannot be followed step by step")]


@pytest.mark.parametrize(
    "broken", [{}, {"other": 1}, {"values": []}, {"values": "x"}, {"values": [{"tensor": 1}] * 4}]
)
def test_an_answer_whose_need_cannot_be_tried_does_not_pass(broken: dict[str, object]) -> None:
    exercise = task("rms_norm")
    grade = TrustedGrade(exercise)

    def forged(header: dict[str, object], blobs: Sequence[bytes]) -> Message | Refused:
        return (Message(broken) if broken else Refused("no")) if "replaced" in header else ask(header, blobs)

    necessity = Necessity(exercise, grade.trials, grade.wanted, Random(1))

    told = list(necessity.offences(exercise.solution, forged))

    assert told == [Offence(0, "a result that cannot be followed step by step")]


def test_a_need_is_met_where_nothing_can_be_computed_without_the_call() -> None:
    exercise = task("rms_norm")
    grade = TrustedGrade(exercise)

    def without_values(header: dict[str, object], blobs: Sequence[bytes]) -> Message | Refused:
        asked = header.get("replaced")
        return Message({"values": [None] * len(asked)}) if isinstance(asked, list) else ask(header, blobs)

    necessity = Necessity(exercise, grade.trials, grade.wanted, Random(1))

    assert list(necessity.offences(exercise.solution, without_values)) == []


def test_the_trials_that_are_looked_at_are_small_ones_without_the_last() -> None:
    exercise = task("rms_norm")
    trials = trial.draw(exercise, Random(3), 5)
    grade = TrustedGrade(exercise)
    wanted = [grade.returned(exercise.solution, one) for one in trials]

    chosen = [one for one, _ in Necessity(exercise, trials, wanted, Random(1)).trials]

    assert len(chosen) == 2
    assert trials[-1] not in chosen
    assert all(chosen[0].sizes[axis] != chosen[1].sizes[axis] for axis in chosen[0].sizes)
    for count, left in ((1, 1), (2, 1), (3, 2)):
        few = Necessity(exercise, trials[:count], wanted[:count], Random(1)).trials
        assert sorted(trials.index(one) for one, _ in few) == list(range(left))


def test_the_draw_of_other_numbers_is_three_and_follows_the_seed() -> None:
    exercise = task("rms_norm")
    grade = TrustedGrade(exercise)
    drawn = [Necessity(exercise, grade.trials, grade.wanted, Random(seed)).draw for seed in (1, 1, 2)]

    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(each) for each in drawn] == [3, 3, 3]
    assert all(0 < number < 1 << 20 for each in drawn for number in each)


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        (
            "merge_heads",
            "y = rearrange(x, 'b h s d -> b s h d')\nreturn pack([y], 'b s *')[0]",
            "`pack` that moves numbers on line 3",
        ),
        (
            "upsample",
            "y = repeat(x, 'b c h w -> b c (h p) w', p=p)\nreturn rearrange([y] * q, 'q b c h w -> b c h (w q)')",
            "`*` that copies numbers on line 3",
        ),
    ],
)
def test_what_does_the_work_of_the_call_is_said_with_its_line(
    monkeypatch: pytest.MonkeyPatch, name: str, body: str, said: str
) -> None:
    for rule in (sizes, arithmetic):  # which would tell of the list alone
        monkeypatch.setattr(rule, "offences", lambda *_: [])
    work = task(name).must[0]
    advice = f"Let {work} do that: it is the work that is asked for."

    assert [(str(one), one.advice) for one in offences(name, body)] == [(said, advice)]


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("drop_axis", "return rearrange(x, 'b n d -> n b d')[0]"),
        (
            "upsample",
            "y = repeat(x, 'b c h w -> b c (h p) w', p=p)\nreturn repeat(y, 'b c h w -> b c h (w q)', q=q)",
        ),
        ("global_pool", "return reduce(reduce(x, 'b c h w -> b c h', 'mean'), 'b c h -> b c', 'mean')"),
        (
            "global_pool",
            "y = rearrange(x, 'b c h w -> b c (h w)')\nreturn reduce(y, 'b c n -> b c', 'sum') / y.shape[2]",
        ),
    ],
)
def test_the_work_may_be_done_in_parts_by_the_call_itself(name: str, body: str) -> None:
    assert offences(name, body) == []


def test_a_multiple_by_sizes_is_told_where_the_trials_have_a_product_in_common(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`b * s` is 6 in both trials of 2, 3 and 3, 2; only what is read of the sizes tells them apart."""
    exercise = task("layer_norm")
    grade = TrustedGrade(exercise)
    trials = [trial.with_sizes(exercise, Random(1), {"b": b, "s": s, "d": 7}) for b, s in ((2, 3), (3, 2))]
    monkeypatch.setattr("studykit.graders.host.necessity.Necessity._short", lambda *_: [])
    body = (
        "    b, s, d = x.shape\n    u = x * (b * s) - x\n    y = u - reduce(u, 'b s d -> b s 1', 'mean')\n"
        "    return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))\n"
    )
    wanted = [grade.returned(exercise.solution, one) for one in trials]

    found = Necessity(exercise, [*trials, trials[0]], [*wanted, wanted[0]], Random(1)).offences(
        f"def f(x):\n{body}", grade.ask
    )

    assert [str(one) for one in found] == ["a sum of what sizes make differently large on line 3"]
