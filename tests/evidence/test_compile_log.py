"""Would catch: an episode counted once a rank, milliseconds read as microseconds, a missing end for a short compile."""

import pytest

from .conftest import ReadText
from .corpus import COMPILE

WRAPPER = "||NEURON_CC_WRAPPER||"


def stamp(second: int, milliseconds: int = 1, pid: int | None = None) -> str:
    of = f":  {pid}  INFO" if pid else ": INFO"
    return f"2024-03-01 10:{second // 60:02d}:{second % 60:02d}.{milliseconds:06d}{of} "


def start(second: int, module: str, pid: int | None = None) -> str:
    command = f"['neuronx-cc', '/t/model.MODULE_{module}+a.hlo.pb']"
    return f"{stamp(second, pid=pid)}{WRAPPER}: Call compiler with cmd: {command}\n"


def end(second: int, module: str, pid: int | None = None) -> str:
    return f"{stamp(second, pid=pid)}{WRAPPER}: Compilation Successfully Completed for model.MODULE_{module}+a.hlo.pb\n"


def hit(second: int, module: str, pid: int | None = None) -> str:
    path = f"/cache/MODULE_{module}+a/model.neff"
    done = "Exiting with a successfully compiled graph"
    return f"{stamp(second, pid=pid)}{WRAPPER}: Using a cached neff at {path}. {done}\n"


def test_the_fraction_is_milliseconds_padded_to_six_digits(read_text: ReadText) -> None:
    text = (
        "2022-04-12 16:15:00.000947: INFO ||NCC_WRAPPER||: No candidate found under /c/neuroncc-1.0/MODULE_182.\n"
        "........\nCompiler status PASS\n"
        "2022-04-12 16:18:05.000843: INFO ||NCC_WRAPPER||: Exiting with a successfully compiled graph\n"
    )
    (minutes,) = read_text(text).of("compile_minutes")
    assert minutes.value == pytest.approx(184.896 / 60, abs=1e-6)
    assert not minutes.censored


def test_wall_time_is_the_union_of_the_intervals(read_text: ReadText) -> None:
    got = read_text(COMPILE)
    assert sorted(fact.value for fact in got.of("compile_minutes")) == [pytest.approx(1.0), pytest.approx(2.0)]
    assert got.of("compile_wall_minutes")[0].value == pytest.approx(2.0, abs=1e-3)
    assert got.of("compile_hits")[0].value == 1


def test_ranks_that_wait_for_a_graph_compile_nothing(read_text: ReadText) -> None:
    ranks = range(8)
    text = (
        "".join(start(1, "1", pid) for pid in ranks)
        + "".join(end(181, "1", pid) for pid in ranks)
        + "".join(hit(190, "1", pid) for pid in ranks)  # they pick up what rank 0 compiled
        + "".join(hit(1900, "1", pid) for pid in ranks)  # a restart finds it in the cache
    )
    got = read_text(text)
    assert [fact.value for fact in got.of("compiles")] == [1]
    assert [fact.value for fact in got.of("compile_hits")] == [1]
    assert [fact.value for fact in got.of("compile_minutes")] == [pytest.approx(3.0)]


def test_a_compile_without_an_end_is_a_lower_bound(read_text: ReadText) -> None:
    got = read_text(start(0, "1") + "." * 8 + "\n")
    (minutes,) = got.of("compile_minutes")
    assert minutes.censored
    assert minutes.value == pytest.approx(160 / 60)
    later = read_text(start(0, "1") + f"{stamp(600)}||NEURON_CACHE||: Compile cache path: /c\n")
    assert later.of("compile_minutes")[0].value == pytest.approx(10)
    assert later.of("compile_wall_minutes")[0].censored


def test_two_ranks_pass_at_one_instant(read_text: ReadText) -> None:
    text = (
        f"{stamp(10, 941)}||NCC_WRAPPER||: Compile cache path: /c\n" * 2
        + ".\n.\nCompiler status PASS\nCompiler status PASS\n"
        + f"{stamp(17, 464)}||NCC_WRAPPER||: Compile cache path: /c\n"
    )
    got = read_text(text)
    assert got.of("compiles")[0].value == 1
    (minutes,) = got.of("compile_minutes")
    assert minutes.value == pytest.approx(6.523 / 60)
    assert "at most" in minutes.basis


def test_a_failure_is_an_episode_too(read_text: ReadText) -> None:
    failed = (
        "subprocess.CalledProcessError: Command '['neuronx-cc', 'compile', '/t/model.MODULE_9+b.hlo.pb']'"
        " returned non-zero exit status 70.\n"
    )
    got = read_text(start(0, "9").replace("+a", "+b") + failed * 3 + f"{stamp(60)}||NEURON_CACHE||: x\n")
    assert got.of("compiles")[0].value == 1
    assert got.of("compile_failures")[0].value == 1
    assert any("MODULE_9+b failed to compile with exit status 70" in note for note in got.notes)


def test_a_miss_announces_the_graph_of_the_next_call(read_text: ReadText) -> None:
    miss = "neuronxcc-2.12/MODULE_dd+2c/model.neff not found in cache: the corresponding graph will be recompiled.\n"
    got = read_text(miss * 3 + f"{stamp(5, pid=201)}{WRAPPER}: Call compiler with cmd: ['neuronx-cc', '/t/wo")
    (minutes,) = got.of("compile_minutes")
    assert minutes.group["module"] == "dd+2c"
    assert minutes.censored
    assert got.of("compiles")[0].value == 1


def test_a_hit_wrapped_in_the_middle_of_its_name(read_text: ReadText) -> None:
    whole = hit(0, "17784021259853473086").rstrip("\n")
    at = whole.index("MODULE") + 1
    got = read_text(f"{whole[:at]}\n{whole[at:]}    \n")
    assert got.of("compile_hits")[0].value == 1
    assert got.used == 2


def test_the_format_of_2026(read_text: ReadText) -> None:
    text = (
        "2026-Apr-13 01:46:31.0683 83:83 [2] net_plugin.cc:97 CCOM WARN OFI plugin initNet() failed\n.\n"
        "Compiler status PASS\n"
        "2026-04-13 01:46:33.000003: 83 [INFO]: Compilation Successfully Completed for model.MODULE_98+70e.hlo.pb\n"
    )
    (minutes,) = read_text(text).of("compile_minutes")
    assert minutes.value == pytest.approx((33.003 - 31.683) / 60)
    assert minutes.group == {"module": "98+70e"}


def test_a_failed_graph_in_the_cache_counts_once(read_text: ReadText) -> None:
    cached = f"{WRAPPER}: Got a cached failed neff at /c/MODULE_9+b/model.neff. Will skip compilation\n"
    text = "".join(stamp(second, pid=second) + cached for second in (1, 2, 300))
    got = read_text(text)
    assert (got.of("compiles")[0].value, got.of("compile_failures")[0].value) == (0, 1)
