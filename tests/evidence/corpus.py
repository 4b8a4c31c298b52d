"""Small files of every format that is read line by line, with the traps of real ones."""

import json

from simulator.evidence.reading import Reading


def megatron(first: int, last: int, seconds: float = 1.5, prefix: str = "", batch: int = 64, total: int = 1000) -> str:
    """Iteration lines; every figure differs from step to step, as in a real log."""
    return "".join(
        f"{prefix} iteration {i:8d}/{total:8d} | consumed samples: {i * batch:12d} |"
        f" elapsed time per iteration (ms): {1000 * seconds + i % 7:.1f} | learning rate: 3.000E-05 |"
        f" global batch size: {batch:5d} | lm loss: {10 - i / 1000:.6f}E+00 | loss scale: 1.0 | grad norm: 1.0 |"
        f" number of skipped iterations:   0 | number of nan iterations:   0 |\n"
        for i in range(first, last + 1)
    )


def torchtitan(first: int, last: int, every: int = 1, rank: str = "[rank0]:", tps: int = 5860) -> str:
    return "".join(
        f"{rank}[titan] 2025-06-16 22:{30 + i // 60:02d}:{i % 60:02d},{100 + i % 800} - root - INFO - step: {i:2d}"
        f"  loss: {9 - i / 100:.4f}  memory: 49.66GiB(52.28%)  tps: {tps + i % 9:,}  tflops: 339.16  mfu: 34.29%\n"
        for i in range(first, last + 1, every)
    )


COMPILE = """\
2024-03-01 10:00:00.000100:  100  INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: ['neuronx-cc', 'compile', '/tmp/model.MODULE_111+aa.hlo.pb']
2024-03-01 10:00:00.000150:  101  INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: ['neuronx-cc', 'compile', '/tmp/model.MODULE_222+aa.hlo.pb']
..
Compiler status PASS
2024-03-01 10:01:00.000100:  100  INFO ||NEURON_CC_WRAPPER||: Compilation Successfully Completed for model.MODULE_111+aa.hlo.pb
2024-03-01 10:02:00.000150:  101  INFO ||NEURON_CC_WRAPPER||: Compilation Successfully Completed for model.MODULE_222+aa.hlo.pb
2024-03-01 10:30:00.000001:  200  INFO ||NEURON_CC_WRAPPER||: Using a cached neff at /c/MODULE_111+aa/model.neff. Exiting with a successfully compiled graph.
"""  # noqa: E501

OOM = """\
2024-Oct-15 18:01:17.728750  38:38  ERROR  TDRV:dmem_alloc_internal                     Failed to alloc DEVICE memory: 180355072
2024-Oct-15 18:01:18.347720  38:38  ERROR  TDRV:log_dev_mem         Failed to allocate 172.000MB (usage: tensors) on ND 0:NC 0, current utilization:
\t* total: 15.855GB
\t* tensors: 15.855GB
Traceback (most recent call last):
RuntimeError: Failed to allocate 180355072 bytes on DEVICE for tensor UNKNOWN.
"""  # noqa: E501

HF = """\
***** Running training *****
  Num examples = 1,000
  Total train batch size (w. parallel, distributed & accumulation) = 10
  Total optimization steps = 300
{'loss': 2.5, 'grad_norm': 1.2, 'learning_rate': 4.8e-05, 'epoch': 0.1}
{'loss': nan, 'grad_norm': nan, 'learning_rate': 4.6e-05, 'epoch': 0.2}
{'eval_loss': 2.1, 'eval_runtime': 20.0, 'eval_samples_per_second': 5.0, 'epoch': 0.2}
{'loss': '2.2', 'grad_norm': '1.1', 'learning_rate': '4.4e-05', 'epoch': '0.3'}
{'train_runtime': 320.0, 'train_samples_per_second': 9.375, 'train_steps_per_second': 0.9375, 'epoch': 3.0}
***** train metrics *****
  train_runtime            = 0:05:20.00
  train_samples_per_second =      9.375
"""

BARS = """\
Epoch 0:   2%|\u00e2\u2013\u008f  | 1/62 [00:40<40:40, 0.02it/s, v_num=8, global_step=1.000, throughput=0.5]\r\
Epoch 0:   3%|\u00e2\u2013\u008f  | 2/62 [01:05<32:30, 0.03it/s, v_num=8, global_step=2.000, throughput=0.9]\r\
Epoch 0:   5%|\u00e2\u2013\u008f  | 3/62 [01:30<29:30, 0.03it/s, v_num=8, global_step=3.000, throughput=0.9]
Validation DataLoader 0: 50%|#### | 5/10 [00:05<00:05, 1.00it/s]
"""

BERT = """\
LOG Thu Sep 29 22:30:10 2022 - (0, 78) step_loss : 9.1875  learning_rate : 1.56e-05  throughput : 2873.14
LOG Thu Sep 29 22:30:16 2022 - (0, 79) step_loss : 8.9375  learning_rate : 1.58e-05  throughput : 2878.09
LOG Thu Sep 29 22:30:22 2022 - (0, 80) step_loss : 9.0000  learning_rate : 1.60e-05  throughput : 2875.31
"""


def mllog(key: str, at: int, value: object = None, **metadata: object) -> str:
    event = {"namespace": "", "time_ms": at, "event_type": "POINT_IN_TIME", "key": key, "value": value}
    event["metadata"] = metadata
    return f":::MLLOG {json.dumps(event)}\n"


MLPERF = (
    mllog("global_batch_size", 0, 8)
    + mllog("submission_platform", 0, "2xBOX9680x8H100-SXM-80GB")
    + mllog("run_start", 1_000_000)
    + mllog("tracked_stats", 1_500_000, {"throughput": 1.9}, step=960)
    + mllog("eval_start", 1_500_000, samples_count=960)
    + mllog("eval_stop", 1_540_000, samples_count=960)
    + mllog("tracked_stats", 2_000_000, {"throughput": 2.1}, step=1920)
    + mllog("run_stop", 2_800_000, 0.92, samples_count=1920, status="success")
)


def monitor(busy: dict[str, float], hardware: int = 0, pid: int = 1, ecc: int = 0) -> str:
    """One record of neuron-monitor in which two runtimes list all cores."""
    cores = {core: {"neuroncore_utilization": value} for core, value in busy.items()}
    idle = {core: {"neuroncore_utilization": 0} for core in busy}
    runtimes = [
        {
            "pid": pid + i,
            "error": "",
            "report": {
                "execution_stats": {"error_summary": {"hardware": hardware if i == 0 else 0}, "error": ""},
                "memory_used": {"neuron_runtime_used_bytes": {"neuron_device": 1000}},
                "neuroncore_counters": {"neuroncores_in_use": cores if i == 0 else idle},
            },
        }
        for i in range(2)
    ]
    devices = [{"neuron_device_index": 0, "mem_ecc_uncorrected": ecc, "sram_ecc_uncorrected": 0}]
    system = {"memory_info": {"period": 5.0}, "neuron_hw_counters": {"neuron_devices": devices}}
    about = {"instance_id": "i-1", "instance_type": "trn1.32xlarge"}
    return json.dumps({"neuron_runtime_data": runtimes, "system_data": system, "instance_info": about})


MONITOR = "".join(f"{monitor({'0': 10 * i, '1': 30}, hardware=i == 2)}\n" for i in range(4))

PROMETHEUS = """\
# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).
# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",Hostname="n\\"1"} 90 1700000000000
DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-b"} 70
DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a"} 1024
DCGM_FI_DEV_MEMORY_TEMP{gpu="0",UUID="GPU-a"} 9223372036854775794
DCGM_FI_DEV_ECC_DBE_VOL_TOTAL{gpu="0",UUID="GPU-a"} 2
DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="GPU-a"} 0
DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="GPU-a"} 79
DCGM_FI_DEV_ECC_DBE_VOL_TOTAL{gpu="0",UUID="GPU-a"} 5
"""

SMI = """\
timestamp, name, index, utilization.gpu [%], memory.used [MiB], ecc.errors.uncorrected.volatile.total
2025/06/16 22:00:00.000, NVIDIA H100, 0, 90 %, 1024 MiB, 0
2025/06/16 22:00:00.000, NVIDIA H100, 1, 80 %, 2048 MiB, [N/A]
2025/06/16 23:00:00.000, NVIDIA H100, 0, 100 %, 1000 MiB, 1
2025/06/16 23:00:00.000, NVIDIA H100, 1, [Not Supported], 1000 MiB, [N/A]
"""

LIGHTNING = "epoch,step,train_loss,tokens_per_sec,val_loss\n" + "".join(
    f"{i // 5},{i},{3 - i / 10:.2f},{1000 + i},\n{i // 5},{i},,,2.5\n" for i in range(1, 11)
)

WANDB = (
    '"Step","run-a - train/tokens_per_sec_per_gpu","run-a - train/tokens_per_sec_per_gpu__MIN",'
    '"run-a - train/tokens_per_sec_per_gpu__MAX","run-b - train/tokens_per_sec_per_gpu"\n'
    + "".join(f'"{i}","{500 + i}","{490 + i}","{510 + i}","{900 + i if i > 2 else ""}"\n' for i in range(1, 9))
)

NANOCHAT = "".join(
    f"step {i:05d}/21400 (0.02%) | loss: {8 - i / 10:.6f} | lrm: 1.00 | dt: {989 + i:.2f}ms | tok/sec: {529_000 + i:,}"
    f" | mfu: 74.13 | total time: 0.00m\n"
    for i in range(4, 12)
)

CATALOG = """\
InstanceType,AcceleratorName,Price,SpotPrice,Region,AvailabilityZone
trn2.48xlarge,Trainium2,,23.5,us-east-2,use2-az3
trn1.32xlarge,Trainium,21.5,,us-east-1,use1-az6
"""

CORPUS = {
    "megatron": megatron(1, 30),
    "megatron restarted": megatron(1, 30) + " loading checkpoint from /x\n" + megatron(21, 40, 1.4),
    "torchtitan": torchtitan(1, 20),
    "compile": COMPILE,
    "oom": megatron(1, 5) + OOM + megatron(4, 8, 1.6),
    "huggingface": HF,
    "bars": BARS,
    "bert": BERT,
    "mlperf": MLPERF,
    "monitor": MONITOR,
    "prometheus": PROMETHEUS,
    "nvidia-smi": SMI,
    "lightning": LIGHTNING,
    "wandb": WANDB,
    "nanochat": NANOCHAT,
    "catalog": CATALOG,
}


def counts(reading: Reading) -> dict[tuple[str, ...], float]:
    """The counts of events in a reading, by quantity and group."""
    counted = ("steps", "restarts", "lost_steps", "compiles", "compile_hits", "compile_failures")
    counted += ("oom_events", "fault_events")
    return {
        (fact.quantity, *(f"{key}={value}" for key, value in sorted(fact.group.items()))): fact.value
        for fact in reading.facts
        if fact.quantity in counted
    }
