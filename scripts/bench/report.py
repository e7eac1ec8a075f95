"""The table, the targets and the file of figures."""

import json
import statistics
from dataclasses import asdict, dataclass, field

REFERENCE = "ours-dp-hash"  # what ratios refer to
SLOTS, MEGAFLOWS_OVER = 1024, 64


@dataclass
class Row:
    """One figure of one forwarder: the median of its runs."""

    what: str
    forwarder: str  # name
    label: str
    unit: str
    runs: list = field(default_factory=list)
    note: str = ""

    @property
    def median(self):
        return statistics.median(self.runs)


CONNECTIONS, PACKETS, MEGAFLOWS = "new connections", "packets, loss < 0.5 %", "megaflows"


def rows_of(forwarder, what, result):
    """Turns what a measurement returned into rows."""

    def row(name, unit, runs, note=""):
        return Row(name, forwarder.name, forwarder.label, unit, [float(value) for value in runs], note)

    if what == "connections":
        note = f"{result['errors']} socket errors" if result["errors"] else ""
        return [row(CONNECTIONS, "1/s", result["rates"], note)]
    if what == "latency":
        note = f"{result['failed']} of {result['of']} failed" if result["failed"] else ""
        return [row(f"latency {name}", "us", result[name], note) for name in ("p50", "p99")]
    if what == "packets":
        note = "the sender could not send more" if result["limited_by_sender"] else ""
        return [row(PACKETS, "1/s", result["passed"], note), row("packets, most received", "1/s", result["most"])]
    if what == "flows":
        of = f"{result['flows']} connections at {result['rate']:.0f}/s, {max(result['lost'], 0):.2f} % lost"
        rows = [row(MEGAFLOWS, "", [result["megaflows"]], of), row("upcalls", "", [result["upcalls"]])]
        return rows + ([row("CPU of the switch", "us/connection", [result["cpu"]])] if result["cpu"] is not None else [])
    if what in ("bulk", "bulk-offloads"):
        with_offloads = ", offloads on" if what == "bulk-offloads" else ""
        return [row(f"bulk {direction}{with_offloads}", "Mbit/s", result[direction]) for direction in ("forward", "reverse")]
    if what == "commits":
        ordered = sorted(result)
        note = "from the start of ovn-nbctl --wait=hv to its end, one chassis"
        return [row("commit to installed p50", "ms", [statistics.median(ordered)], f"{len(ordered)} changes, {note}"),
                row("commit to installed p99", "ms", [ordered[(len(ordered) - 1) * 99 // 100]])]
    raise AssertionError(what)


def show(rows, failures):
    """Prints the table; ratios are to the product's dp_hash form on AF_PACKET."""
    order = list(dict.fromkeys(row.what for row in rows))
    reference = {row.what: row.median for row in rows if row.forwarder == REFERENCE}
    print(f"{'WHAT':<28} {'FORWARDER':<28} {'MEDIAN':>10} {'UNIT':<14} {'RATIO':>6}  NOTE")
    for what in order:
        for row in (row for row in rows if row.what == what):
            base = reference.get(what)
            ratio = f"{row.median / base:.2f}" if base else "-"
            print(f"{what:<28} {row.label:<28} {number(row.median):>10} {row.unit:<14} {ratio:>6}  {row.note}".rstrip())
    for (label, what), reason in failures.items():
        print(f"{what:<28} {label:<28} {'FAILED':>10} {reason}")


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def targets(rows):
    """Returns (text, verdict) for each target that this run can say something about."""
    found = {(row.what, row.forwarder): row.median for row in rows}
    results = []
    for name in ("ours-dp-hash", "ours-dp-hash-xdp"):
        megaflows = found.get((MEGAFLOWS, name))
        if megaflows is not None:
            limit = SLOTS + MEGAFLOWS_OVER
            results.append((f"{name}: megaflows <= slots + {MEGAFLOWS_OVER}: {megaflows:.0f} of {limit}", megaflows <= limit))
    comparisons = [(CONNECTIONS, ours, other) for ours in ("ours-dp-hash", "ours-dp-hash-xdp") for other in ("ovn", "nginx", "haproxy")]
    comparisons.append((PACKETS, "ours-dp-hash-xdp", "nft"))
    for what, ours, other in comparisons:
        left, right = found.get((what, ours)), found.get((what, other))
        if left is not None and right is not None:
            results.append((f"{what}: {ours} > {other}: {left:.0f} > {right:.0f}", left > right))
    return [(text, "MET" if met else "MISSED") for text, met in results]


def write(path, machine, settings, rows, failures, verdicts, raw):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({
        "machine": machine,
        "settings": settings,
        "rows": [asdict(row) | {"median": row.median} for row in rows],
        "failures": [{"forwarder": label, "what": what, "reason": reason} for (label, what), reason in failures.items()],
        "targets": [{"target": text, "verdict": verdict} for text, verdict in verdicts],
        "raw": raw,
    }, indent=1) + "\n")
