"""Speed and memory of the learner beside its peers, all in one run; writes benchmarks/speed.json and docs/speed.md.

    python benchmarks/speed.py [--quick]

Every figure is a median, and every claim a ratio of medians, since machines are shared: peers and newfound take turns.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans as PeerKMeans
from sklearn.cluster import MiniBatchKMeans
from threadpoolctl import threadpool_limits

from newfound import ExploreEM, JensenShannon, KMeans, MinMax, VonMisesFisher
from newfound.execution import Local, Pool, threads
from newfound.kernels.vector import LANES
from newfound.parts import Part, Rows

HERE = Path(__file__).parent
DATA = Path(os.environ.get("NEWFOUND_DATA", HERE.parents[1] / "shared" / "data"))
CORES = os.cpu_count() or 1


def newsgroups() -> tuple[sparse.csr_matrix, np.ndarray]:
    """20-Newsgroups as tf-idf in float32: 18,774 x 61,188."""
    folder = DATA / "20news_bydate_matlab"
    X = sparse.load_npz(folder / "counts.npz").tocsr().astype(np.float32)
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    X.data *= np.log(X.shape[0] / frequency).astype(np.float32)[X.indices]
    return X, np.load(folder / "labels.npy") - 1


def directions(n: int, d: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit rows around k directions."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((k, d)).astype(np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    truth = rng.integers(0, k, n)
    X = centres[truth] + rng.standard_normal((n, d)).astype(np.float32) * np.float32(0.06)
    return X / np.linalg.norm(X, axis=1, keepdims=True), truth


def medians(contenders: dict[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The median of what each contender says it took, all taking turns."""
    for run in contenders.values():
        run()
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, run in contenders.items():
            time.sleep(0.1)  # BLAS and OpenMP threads of the one before go on spinning for a while, on our cores
            taken[name].append(run())
    return {name: float(np.median(times)) for name, times in taken.items()}


def timed(work: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return run


def per_iteration(make: Callable[[int], object], more: int) -> Callable[[], float]:
    """Seconds of one iteration of a peer: a fit of 1 + more iterations less a fit of one."""
    one, many = timed(lambda: make(1)), timed(lambda: make(1 + more))
    return lambda: max((many() - one()) / more, 0.0)


def seeds(n: int, k: int) -> np.ndarray:
    """Ten seeds for each of k classes, drawn at random."""
    rng = np.random.default_rng(1)
    y = np.full(n, -1, np.int32)
    y[rng.choice(n, 10 * k, replace=False)] = np.repeat(np.arange(k), 10)
    return y


def engine(X: object, y: np.ndarray, component: object, k: int, pool: Pool) -> Local:
    rows = Rows.of(X)
    return Local(Part(np.arange(len(rows)), rows, y, np.ones(len(rows))), component, k, pool)  # type: ignore[arg-type]


def iteration(work: Local, criterion: object) -> Callable[[], None]:
    """One exploratory iteration in which every row moves: scan, collect of all rows, maximise."""
    state = {"table": work.table(work.maximise())}

    def run() -> None:
        table = state["table"]
        work.score(table, criterion)
        work.resolve(table, criterion, np.inf)
        for scan in work.scans:
            scan.assigned[:] = -1
        work.stats.rows[:], work.stats.sums[:] = 0, 0
        work.collect(0)
        state["table"] = work.table(work.maximise())

    return run


def read_rate(n_bytes: int, pool: Pool) -> float:
    """Bytes a second that the cores can read from an array of this size, in order, as a BLAS inner product does."""
    table = np.ones(n_bytes // 4, np.float32)
    run = timed(lambda: pool.ranges(lambda a, b: table[a:b] @ table[a:b], len(table), 4096))
    return n_bytes / medians({"read": run}, 9)["read"]


def sparse_section(k: int, repeats: int) -> dict[str, object]:
    """An exploratory iteration on 20-Newsgroups beside one iteration of scikit-learn's clusterings."""
    X, _ = newsgroups()
    y, n = seeds(X.shape[0], k), X.shape[0]
    rng = np.random.default_rng(2)
    centres = X[rng.choice(n, k, replace=False)].toarray()
    across = np.ascontiguousarray(centres.T)

    def peer(algorithm: str) -> Callable[[int], object]:
        return lambda m: PeerKMeans(k, init=centres, n_init=1, max_iter=m, tol=0, algorithm=algorithm).fit(X)

    def mini(m: int) -> object:
        return MiniBatchKMeans(k, init=centres, n_init=1, max_iter=m, tol=0, max_no_improvement=None).fit(X)

    def running_fit() -> float:
        em = ExploreEM(max_iter=6, tol=0, n_jobs=CORES).fit(X, y)
        return float(np.median([step.seconds for step in em.history_[1:]]))

    with threads(CORES) as pool:
        work = engine(X, y, KMeans(), k, pool)
        whole, table = iteration(work, MinMax()), work.table(work.maximise())
        contenders = {
            "newfound": timed(whole),
            "newfound_js": timed(iteration(work, JensenShannon())),
            "newfound_scan": timed(lambda: work.score(table, MinMax())),
            "newfound_running_fit": running_fit,
            "lloyd": per_iteration(peer("lloyd"), 3),
            "elkan": per_iteration(peer("elkan"), 3),
            "minibatch_pass": per_iteration(mini, 2),
            "scipy_product": timed(lambda: X @ across),
        }
        seconds = medians(contenders, repeats)
        moved = X.nnz * (-(-k // LANES) * LANES * 4 + 8)
        rate = read_rate(table.weights.nbytes, pool)
    limit = moved / rate
    return {
        "classes": k,
        "seconds": seconds,
        "ratios": {name: seconds[name] / seconds["newfound"] for name in ("lloyd", "elkan", "minibatch_pass", "scipy_product")},
        "ratios_running_fit": {
            name: seconds[name] / seconds["newfound_running_fit"]
            for name in ("lloyd", "elkan", "minibatch_pass", "scipy_product")
        },
        "scan_share_of_read_limit": limit / seconds["newfound_scan"],
        "read_bytes_per_second": rate,
    }


def dense_section(repeats: int) -> dict[str, object]:
    """The scan of 100,000 x 384 rows against 150 classes beside a plain product of the two."""
    X, truth = directions(100_000, 384, 100)
    y = seeds(len(X), 150)
    y[y >= 0] = np.where(y[y >= 0] < 100, truth[y >= 0], y[y >= 0])
    out: dict[str, object] = {}
    for name, rows, component in (
        ("vmf_float64", X.astype(np.float64), VonMisesFisher()),
        ("vmf_float32", X, VonMisesFisher()),
        ("kmeans_float32", np.abs(X), KMeans()),
    ):
        C = np.ascontiguousarray(rows[:150])
        with threads(CORES) as pool:
            work = engine(rows, y, component, 150, pool)
            table = work.table(work.maximise())

            def product(rows: np.ndarray = rows, C: np.ndarray = C) -> None:
                with threadpool_limits(CORES, user_api="blas"):
                    rows @ C.T

            seconds = medians(
                {
                    "product": timed(product),
                    "minmax": timed(lambda work=work, table=table: work.score(table, MinMax())),
                    "js": timed(lambda work=work, table=table: work.score(table, JensenShannon())),
                },
                repeats,
            )
        ratios = {criterion: seconds[criterion] / seconds["product"] for criterion in ("minmax", "js")}
        out[name] = {"seconds": seconds, "ratios_to_product": ratios}
    return out


COLD = """
import time; start = time.perf_counter()
import numpy as np
from newfound import ExploreEM
X = np.array([[9, 1, 0], [8, 0, 1], [1, 9, 0], [0, 0, 9], [0, 1, 8]])
ExploreEM().fit(X, [0, -1, 1, -1, -1])
print(time.perf_counter() - start)
"""


def cold_section(repeats: int) -> dict[str, float]:
    """From import to the first label, with numba's cache warm and without one."""

    def first_label(folder: str) -> float:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        return float(subprocess.run([sys.executable, "-c", COLD], env=environment, capture_output=True, check=True).stdout)

    with tempfile.TemporaryDirectory() as folder:
        without = first_label(folder)
        return {"without_cache": without, "warm": float(np.median([first_label(folder) for _ in range(repeats)]))}


def memory_section() -> dict[str, object]:
    """Peak memory of a fit above the user's matrix, in a process of its own, beside the promise."""
    script = f"import sys; sys.path.insert(0, {str(HERE)!r}); import speed; speed.print_peak()"
    peak = json.loads(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout)
    n, d, k = peak["rows"], peak["features"], -(-peak["classes"] // 16) * 16
    promise = peak["matrix"] + 24 * k * d + 64 * n
    return {**peak, "promise": promise, "share_of_promise": peak["bytes"] / promise}


def print_peak() -> None:
    """Fit 20-Newsgroups with 150 classes and print how much more memory that took than was there before."""
    X, _ = newsgroups()
    y = seeds(X.shape[0], 150)
    ExploreEM(max_iter=1, n_jobs=CORES).fit(X[:200], y[:200].clip(max=1))  # compile and load, which is not the fit's own
    before = resident()
    peak = Peak()
    with peak:
        em = ExploreEM(max_iter=3, n_jobs=CORES).fit(X, y)
    print(
        json.dumps(
            {
                "bytes": peak.bytes - before,
                "matrix": X.data.nbytes + X.indices.nbytes + X.indptr.nbytes,
                "rows": X.shape[0],
                "features": X.shape[1],
                "classes": len(em.classes_),
            }
        )
    )


def resident() -> int:
    """Bytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


class Peak:
    """The most memory held while it is open: the high-water mark of the kernel, reset at the start."""

    bytes = 0

    def __enter__(self) -> "Peak":
        Path("/proc/self/clear_refs").write_text("5")
        return self

    def __exit__(self, *_: object) -> None:
        status = Path("/proc/self/status").read_text()
        self.bytes = int(status.split("VmHWM:")[1].split()[0]) * 1024


def machine() -> dict[str, object]:
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().split("\n") if "model name" in line), ""
    )
    packages = {name: version(name) for name in ("numpy", "scipy", "scikit-learn", "numba", "newfound")}
    return {"cpu": model, "cores": CORES, "python": platform.python_version(), **packages}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three repeats instead of seven")
    repeats = 3 if parser.parse_args().quick else 7
    warnings.simplefilter("ignore")
    record = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "repeats": repeats,
        "memory": memory_section(),
        "cold_start": cold_section(repeats),
        "dense": dense_section(repeats),
        "sparse": [sparse_section(k, repeats) for k in (20, 150)],
    }
    (HERE / "speed.json").write_text(json.dumps(record, indent=1) + "\n")
    subprocess.run([sys.executable, HERE / "page.py"], check=True)


if __name__ == "__main__":
    main()
