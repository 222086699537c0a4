"""Write docs/speed.md, docs/growth.md and docs/features.md from the records beside this file."""

import json
from pathlib import Path

HERE = Path(__file__).parent


def page(record: dict) -> str:
    machine = record["machine"]
    lines = [
        "# Speed",
        "",
        "Written by `make bench` from `benchmarks/speed.json`. Machines are shared and noisy, so what counts are ratios of",
        f"medians ({record['repeats']} repeats) in one run. This one: {record['when'][:10]}, {machine['cpu']},",
        f"{machine['cores']} cores,",
        f"scikit-learn {machine['scikit-learn']}, scipy {machine['scipy']}, numba {machine['numba']}.",
        "",
        "## Sparse rows: 20-Newsgroups, 18,774 x 61,188",
        "",
        "One exploratory iteration of `ExploreEM` (K-Means, MinMax: scan, collect, maximise) beside one iteration of others.",
        '"Every row moves" collects all rows anew, which happens in the first pass; "in a running fit" is the median',
        "of the later iterations of a real fit, where only the rows that change class move between the sums.",
        "",
        "| times as long as newfound | every row moves, k = 20 | k = 150 | in a running fit, k = 20 | k = 150 |",
        "|---|--:|--:|--:|--:|",
    ]
    few, many = record["sparse"]
    names = {
        "lloyd": "scikit-learn KMeans, Lloyd",
        "elkan": "scikit-learn KMeans, elkan",
        "minibatch_pass": "scikit-learn MiniBatchKMeans, one pass",
        "scipy_product": "scipy, the product of rows and centroids alone",
    }
    for key, name in names.items():
        cells = [section[kind][key] for kind in ("ratios", "ratios_running_fit") for section in (few, many)]
        lines.append(f"| {name} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")
    shares = [f"{section['scan_share_of_read_limit']:.0%}" for section in (few, many)]
    lines += [
        "",
        f"The scan runs at {shares[0]} (k = 20) and {shares[1]} (k = 150) of the rate at which these cores read an array of",
        "the table's size from end to end; above 100 %, the hot words of the table come from a nearer cache.",
        "With Jensen-Shannon an iteration in which every row moves takes "
        + " and ".join(f"{s['seconds']['newfound_js'] / s['seconds']['newfound']:.1f}" for s in (few, many))
        + " times as long as with MinMax.",
        "",
        "## Dense rows: 100,000 x 384, k = 150",
        "",
        "The scan (scores, labels, likelihood, criterion) beside a plain `X @ C.T` in the type of the rows.",
        "",
        "| | MinMax | Jensen-Shannon |",
        "|---|--:|--:|",
    ]
    dense = {
        "vmf_float64": "vMF, float64 rows",
        "vmf_float32": "vMF, float32 rows (scored in float64)",
        "kmeans_float32": "K-Means, float32 rows",
    }
    for key, name in dense.items():
        ratios = record["dense"][key]["ratios_to_product"]
        lines.append(f"| {name} | {ratios['minmax']:.2f} | {ratios['js']:.2f} |")
    cold, memory = record["cold_start"], record["memory"]
    lines += [
        "",
        "## Start and memory",
        "",
        f"From `import newfound` to the first label: {cold['warm']:.1f} s with a warm numba cache,",
        f"{cold['without_cache']:.1f} s without one.",
        "",
        f"A fit of 20-Newsgroups with {memory['classes']} classes holds {memory['bytes'] / 1e6:.0f} MB above the user's matrix",
        f"at its peak, {memory['share_of_promise']:.0%} of what we promise: one more copy of the matrix, 24 bytes x classes",
        "(rounded up to 16) x features, and 64 bytes x rows.",
        "",
    ]
    return "\n".join(lines)


def growth(record: dict) -> str:
    head = ["rows", "seconds per 1,000 rows", "times one k-means fit", "GB at the peak", "of which the rows", "classes found"]
    lines = [
        "# As rows grow",
        "",
        "Written by `make bench` from `benchmarks/growth.json`. Generated embeddings of 256, around",
        f"{record['true_classes']} directions; 2 % of the rows of 60 classes are seeds.",
        f"{record['cores']} cores, {record['when'][:10]}.",
        "The path is made on a sample of 25,000 rows and all rows settle on it, so what a row costs falls to what it",
        "costs to compare it with the sample.",
        "",
        "| " + " | ".join([*head, "accuracy, %"]) + " |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for run in record["runs"]:
        lines.append(
            f"| {run['rows']:,} | {1000 * run['seconds'] / run['rows']:.2f} | {run['seconds'] / run['kmeans']:.1f} "
            f"| {run['peak'] / 1e9:.2f} | {run['matrix'] / 1e9:.2f} | {run['classes']} | {100 * run['accuracy']:.1f} |"
        )
    return "\n".join([*lines, ""])


def features(record: dict) -> str:
    lines = [
        "# What texts become",
        "",
        "Written by `make bench` from `benchmarks/features.json`. The share of rows without a seed that `Newfound` has right,",
        f"a quarter of the classes seeded by a tenth of their rows, mean of {record['partitions']} partitions; bold is what",
        "`--features auto` takes.",
        "",
        "| data | words a text, median | tfidf | embed | both |",
        "|---|--:|--:|--:|--:|",
    ]
    for run in record["runs"]:
        means = {kind: f"{100 * sum(scores) / len(scores):.1f}" for kind, scores in run["accuracy"].items()}
        cells = [f"**{mean}**" if kind == run["auto"] else mean for kind, mean in means.items()]
        lines.append(f"| {run['data']} | {run['words']:.0f} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


PAGES = {"speed": page, "growth": growth, "features": features}

if __name__ == "__main__":
    for name, write in PAGES.items():
        text = write(json.loads((HERE / f"{name}.json").read_text()))
        (HERE.parent / "docs" / f"{name}.md").write_text(text)
        print(text)
