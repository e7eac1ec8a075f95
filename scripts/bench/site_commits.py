"""How fast the product's own cluster takes a change, if the site of containers runs on this machine."""

import json
import subprocess
from pathlib import Path

from lab import BenchError
from report import Row

MEASURE = Path(__file__).resolve().parents[2] / "chaos/measure"
PROVEN = "weight set through the leader -> proven by all three"
HOW = "for quorumlb's own commit to proven beside OVN's: make up, then scripts/bench-dataplane --measure commits (the running site slows everything else)"
LABEL = "quorumlb, site of 3 nodes"


def runs():
    """Returns true if the site's first node runs."""
    try:
        shown = subprocess.run(["docker", "inspect", "-f", "{{.State.Running}}", "quorumlb-n1"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return shown.stdout.strip() == "true"


def commits(count):
    """Returns rows: from the call of the API until the third switch has proven the change."""
    try:
        done = subprocess.run([MEASURE, "--detections", "0", "--failovers", "0", "--commits", str(count), "--json"],
                              capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        raise BenchError("chaos/measure took more than 600 s") from None
    if done.returncode:
        raise BenchError(f"chaos/measure: {' '.join(done.stderr.split())[-400:]}")
    figures = next(sample for sample in json.loads(done.stdout.splitlines()[-1]) if sample["name"] == PROVEN)
    note = f"{figures['count']} changes, from the API call to the third node's proof by reading back"
    return [Row("commit to installed p50", "ours-site", LABEL, "ms", [figures["p50Millis"]], note),
            Row("commit to installed p99", "ours-site", LABEL, "ms", [figures["p99Millis"]])]
