"""Holds processes to shares of a core, so that they are the limit and not the machine. Control groups, version 1; root only."""

from pathlib import Path

GROUPS = Path("/sys/fs/cgroup/cpu")
PERIOD_US = 20_000


class Share:
    """A process's share of CPU time, until `end`, when the process has ended."""

    def __init__(self, name, cores, pid):
        self.group = GROUPS / f"anabranch_{name}"
        self.group.mkdir(exist_ok=True)
        (self.group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (self.group / "cpu.cfs_quota_us").write_text(str(round(PERIOD_US * cores)))
        (self.group / "cgroup.procs").write_text(str(pid))

    def end(self):
        self.group.rmdir()
