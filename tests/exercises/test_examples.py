"""One worked example of every template, recomputed independently: the formulas of the catalogue give these."""

import math

import pytest
from templates import template_named

from studykit.exercise import catalog
from studykit.exercise.estimate import pins
from studykit.exercise.estimate.grid import combinations
from studykit.exercise.estimate.template import pose
from studykit.quantity.reading import read

LLAMA = "model=layers=32 width=4096 heads=32 head_dim=128 kv_heads=8 ffn_width=14336 vocabulary=128256"
EXAMPLES = [
    ("flops.matmul", "m=128; k=16384; n=8192", "3.436e+10"),
    ("flops.batched", "b=16; s=512; d=1024; n=1024", "1.718e+10"),
    ("flops.attn_scores", "b=2; h=64; s=2048; e=128", "1.374e+11"),
    ("flops.einsum", "b=8; s=512; t=8192; h=16; e=64", "6.872e+10"),
    ("flops.two_layer_fwd", "B=256; d=1024; n=512", "8.053e+08"),
    ("flops.backward", "N=125M; B=4000000", "2e+15"),
    ("flops.train_total", "N=7B; D=1T", "4.2e+22"),
    ("flops.step", "N=8B; b=1024; s=2048", "1.007e+17"),
    ("flops.tokens_from_budget", "N=1B; C=1e+23", "1.667e+13"),
    ("flops.chinchilla_N", "C=1e+22", "9.129B"),
    ("flops.recompute_extra", "N=1.3B; D=100B", "2.6e+20"),
    ("flops.moe", "Na=17B; Nt=671B; D=8T", "8.16e+23"),
    ("flops.attn_share", "mlp=plain; d=12288; T=8192", "0.1111"),
    ("params.dense", "L=32; d=4096; f=14336; h=32; kv_heads=32; V=32000", "8.047B"),
    ("params.deep_linear", "L=3; d=4", "52"),
    ("time.train_days", "N=70B; D=10T; G=512; hw=H200 SXM; mfu=0.6", "159.9 days"),
    ("time.gpus_needed", "N=7B; D=3T; days=14; hw=H100 SXM; mfu=0.35", "301"),
    ("time.mfu_from_step", "N=70B; b=512; s=2048; G=1024; hw=H200 SXM; dt=1.45", "0.2998"),
    ("time.hfu_from_mfu", "mfu=0.3", "0.4"),
    ("time.tokens_per_s", "N=8B; G=64; hw=H200 SXM; mfu=0.45", "593700"),
    ("time.cluster_budget", "G=64; w=6; hw=A100 80GB SXM", "7.246e+22"),
    ("time.gpu_hours", "N=30B; D=1.4T; hw=B200 HGX; mfu=0.35", "8.889e+04 hours"),
    ("time.cost", "N=8B; D=2T; hw=H100 SXM; mfu=0.6; price=2.5", "112290"),
    ("time.steps", "D=500B; b=2048; s=2048", "119209"),
    ("time.matmul_ms", "m=4096; k=32768; n=16384; hw=B200 HGX; u=0.6", "3.258 ms"),
    ("time.matmul_mfu", "m=8192; k=16384; n=4096; dt=bf16; ms=1.71", "0.65"),
    ("time.required_mfu", "N=7B; D=2T; days=45; G=128; hw=A100 80GB SXM", "0.541"),
    ("mem.tensor", "a=1; b=2048; c=12288; dt=bf16", "50.33 MB"),
    ("mem.gib", "x=180", "167.638"),
    ("dtype.mantissa", "dt=fp16", "10"),
    ("dtype.max", "dt=e5m2", "5.734e+04"),
    ("dtype.eps", "dt=fp32", "1.192e-07"),
    ("dtype.first_gap_integer", "dt=fp16", "2049"),
    ("dtype.underflow", "x=1.4e-7; dt=fp16", "1.192e-7"),
    ("mem.train_state", "N=120B; conv=pure bf16 incl. moments (2+2+4)", "960 GB"),
    ("mem.max_model", "G=16; hw=H200 SXM; conv=ZeRO mixed precision (2+2+12: fp32 master+m+v)", "141B"),
    ("mem.optimizer_state", "N=405B; o=Adam/AdamW", "3240 GB"),
    ("mem.min_gpus", "N=70B; hw=H100 SXM; bytes=18", "16"),
    ("mem.activations_linear", "B=128; d=4096; L=64", "67.11 MB"),
    ("mem.activations_transformer", "L=32; s=1024; b=2; d=4096; h=40", "22.55 GB"),
    ("mem.activations_flash", "L=24; s=8192; b=4; d=8192", "219 GB"),
    ("mem.checkpointed", "L=80; s=32768; b=1; d=5120", "26.84 GB"),
    ("mem.sqrt_checkpoints", "L=100", "20"),
    ("mem.remat_overhead", "p=0.75", "25 %"),
    ("accum.steps", "b=1024; micro=2; G=8", "64"),
    ("accum.activation_saving", "A=160; b=64; micro=8", "20 GB"),
    ("accum.max_micro", "hw=H200 SXM; st=47; ac=2.6", "36"),
    ("mem.logits", "b=8; s=32768; V=151936", "159.3 GB"),
    ("mem.zero", "z=1; N=7.5B; G=64", "31.41 GB"),
    ("mem.ckpt_file", "N=8B", "96 GB"),
    ("mem.weights_infer", "N=120B; dt=bf16", "240 GB"),
    ("data.file_bytes", "D=1.4T; w=int32", "5.6 TB"),
    ("data.batch_bytes", "b=256; s=4096", "4194 kB"),
    ("data.start_positions", "D=65536; s=128", "65408"),
    ("comm.allreduce_bytes", "N=13B; G=8", "45.5 GB"),
    ("comm.allreduce_time", "N=7B; G=64; g=200", "0.1378 s"),
    ("ai.relu", "n=16777216; dt=fp8", "0.5"),
    ("ai.gelu", "flops=8; dt=bf16", "2"),
    ("ai.dot", "n=1048576; dt=bf16", "0.5"),
    ("ai.matvec", "n=4096; dt=bf16", "0.99939"),
    ("ai.matmul_square", "n=512; dt=bf16", "170.5"),
    ("ai.matmul_rect", "m=16; k=4096; n=8192", "15.9068"),
    ("roof.ridge", "hw=MI300X; dt=bf16", "246.679"),
    ("roof.ridge", "hw=TPU v7; dt=bf16", "312.6"),
    ("time.train_days", "N=70B; D=15T; hw=MI355X; G=1024; mfu=0.4", "71.2"),
    ("roof.attainable", "hw=H200 SXM; ai=64", "307.2 TFLOP/s"),
    ("roof.mfu_bound", "hw=A100 80GB SXM; ai=128", "0.8365"),
    ("roof.kernel_time", "n=16777216; hw=H100 SXM", "20.03 us"),
    ("roof.batch_to_saturate", "hw=H200 SXM; wd=bf16", "206.146"),
    ("roof.min_n", "hw=H100 SXM", "886.119"),
    ("roof.fusion", "ops=10", "2.5"),
    ("roof.relu_vs_gelu", "flops=80; hw=A100 80GB SXM", "4.182"),
    ("ai.layernorm", "flops=8; dt=fp32", "1"),
    ("ai.softmax", "flops=5", "0.5"),
    ("ai.attention", "T=4096; q=1", "0.999756"),
    ("ai.gated_mlp", "B=2048; d=8192; f=28672", "1686.59"),
    ("inf.decode_latency", "N=70B; dt=bf16; G=1; hw=H200 SXM", "29.17 ms"),
    ("inf.tokens_per_s", "N=7B; dt=int8; hw=L4", "42.8571"),
    ("inf.kv_per_token", "L=40; h=32; kv_heads=8; e=128", "163.8 kB"),
    ("inf.kv_total", "b=1; s=8192; L=80; kv_heads=8", "2.684 GB"),
    ("inf.step_time", "b=64; kv_heads=40; hw=H100 SXM", "23.8 ms"),
    ("model.params", LLAMA, "8030261248"),
    ("model.part", f"{LLAMA}; part=attention", "1.3422B"),
    ("model.flops", f"{LLAMA}; s=2048", "1.6083e10"),
    ("model.kv", f"{LLAMA}; s=8192", "1073.7 MB"),
    ("inf.mbu", "N=8B; hw=H100 SXM; dt=bf16; G=1; ms=6.4", "0.7463"),
    ("inf.max_batch", "w=16; kv=1074; G=4; hw=H100 SXM", "283"),
    ("inf.prefill_flops", "s=512; N=3B", "3.072e+12"),
    ("inf.gqa_ratio", "h=40; kv_heads=4", "10"),
    ("stride.of_dim", "a=2; b=5; c=6; d=9; i=0", "270"),
    ("stride.index", "a=8; b=7; r=3; q=4", "25"),
    ("stride.after_transpose", "a=6; b=8; i=0", "1"),
    ("stride.copy_bytes", "a=4096; b=2048", "33.55 MB"),
    ("stride.view_bytes", "a=1024; b=8192; op=x.double()", "67.11 MB"),
    ("einops.head_dim", "b=8; s=512; h=8; d=6144", "768"),
    ("einops.numel", "b=5; s=7; t=6; d=13", "210"),
    ("init.std", "i=256; o=32", "0.0625"),
    ("init.naive_std", "i=64", "8"),
    ("inf.mla_kv", "L=61; c=512; r=64; h=128; T=1", "70272 bytes"),
    ("inf.throughput", "b=16; w=26; kv=537; hw=A100 80GB SXM", "943.0"),
    ("inf.max_context", "w=140; kv=163840; G=4; hw=H100 SXM; b=4", "274658"),
    ("inf.spec_decode", "a=0.7; drafts=3", "2.533"),
    ("inf.ttft", "N=8B; s=8192; G=1; hw=H100 SXM; u=0.4", "0.3312 s"),
    ("moe.experts_read", "E=256; top_k=8; B=16", "101.96"),
    ("comm.fsdp_step", "N=7B; G=16", "39.375 GB"),
    ("comm.overlap_tokens", "hw=A100 80GB SXM; u=0.4; g=25", "4992"),
    ("comm.tp_layers", "L=32; B=8192; d=4096; G=8", "15.03 GB"),
    ("pipe.bubble", "p=16; micro=64", "0.1899"),
    ("ckpt.interval", "save=120; mtbf=3", "26.83 min"),
    ("cost.energy", "G=1024; gpu=700; watt=1275; pue=1.25; days=30; price=0.08", "94003"),
    ("mem.block_formats", "N=405B; dt=NVFP4", "227.8 GB"),
    ("time.mfu_from_log", "N=7B; s=8192; G=64; hw=H100 SXM; rate=5e5", "0.4334"),
    ("data.loaders", "N=1B; G=8; hw=H100 SXM; mfu=0.4; w=int32", "2.111 MB/s"),
    ("params.exact", "model=QKV biases; d=3584; L=28; h=28; kv_heads=4; e=128; f=18944; V=100352", "7244944896"),
    ("params.gpt2_style", "d=1152; L=20; s=512; V=32000", "356260608"),
    (
        "flops.shape_forward",
        "part=scores; d=1792; L=40; h=28; kv_heads=28; e=64; f=4800; V=64000; s=2048",
        "1.20259e12",
    ),
    (
        "flops.shape_share",
        "part=MLP; d=1792; L=40; h=28; kv_heads=28; e=64; f=4800; V=64000; s=2048",
        "52.8169 %",
    ),
    (
        "flops.longer_context",
        "d=896; L=14; h=14; kv_heads=14; e=64; f=2368; V=49152; s=512; T=32768",
        "335.222",
    ),
    ("flops.adamw_step", "N=3B", "4.2e10"),
    ("time.shape_hours", "dt=tf32; hw=A100 80GB SXM; F=6.4; b=256; steps=100000; mfu=0.42", "2083.84 h"),
    ("mem.shape_state", "what=state; d=1152; L=20; h=18; kv_heads=18; e=64; f=3072; V=32000", "6.27648 GB"),
    (
        "mem.shape_activations",
        "d=1408; L=28; h=22; kv_heads=22; e=64; f=3776; V=49152; s=2048; b=4",
        "110.138 GB",
    ),
    ("mem.shape_total", "N=7B; a=6.8; b=16", "220.8 GB"),
    ("mem.shape_max_batch", "hw=H200 SXM; N=3B; a=4.3", "21"),
    ("comm.ring_time", "ring=whole; S=250; G=16; link=50", "75 ms"),
    ("comm.layer_flops", "case=TP backward; d=5376; f=21504; B=65536; G=8", "1.13645e13"),
    ("comm.layer_time", "case=FSDP backward; d=5376; f=21504; B=65536; G=8; link=50", "24.2772 ms"),
    ("comm.layer_largest", "case=DP backward; d=5376; f=21504; B=131072; hw=A100 80GB SXM; link=25", "11"),
    ("comm.grid_flops", "d=5376; f=21504; B=131072; G_fsdp=16; G_tp=4", "1.42056e12"),
    ("comm.grid_time", "d=5376; f=21504; B=131072; G_fsdp=16; G_tp=4; link=100", "1.6257 ms"),
    ("comm.grid_largest", "wires=shared; d=5376; f=21504; B=1048576; hw=H100 SXM; link=450", "2003.2"),
    ("remat.every", "L=64; c=40; a=260; p=8", "2.4 GB"),
    ("remat.best_every", "L=96; c=40; a=150", "5.06"),
    ("remat.best_peak", "L=96; c=40; a=150", "1.51789 GB"),
    ("remat.forwards", "schedule=halves; L=64", "448"),
]


@pytest.mark.parametrize(("name", "parameters", "answer"), EXAMPLES, ids=[name for name, _, _ in EXAMPLES])
def test_an_example_comes_out_as_worked_by_hand(name: str, parameters: str, answer: str) -> None:
    template = template_named(name)
    pinned = pins.pins(template, dict(pair.split("=", 1) for pair in parameters.split("; ")))
    rest = next(iter(combinations(template.grid)))

    variant = pose(template, {**rest, **template.assumed, **pinned}, 0, pinned)

    reading = read(answer, template.wanted)
    values = (reading.value, *reading.others)
    assert any(math.isclose(variant.answer, value, rel_tol=0.005) for value in values)


def test_every_template_has_its_example() -> None:
    numeric = {found.id for found in catalog.every() if found.kind == "number"}

    assert {name for name, _, _ in EXAMPLES} == numeric
