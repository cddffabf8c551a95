"""What is measured. Each scenario is one sysbench program with its options, over targets and thread counts.

A target is a kind of database that a peer may have: plain, rw (a primary and a replica), shard8, shard32, shard64
(so many tables over two data sources), pair (two proxies behind one TCP balancer). Direct connections and plain
forwarders have `plain` only and stand as the measure beside every kind.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scenario:
    name: str
    program: str                      # sysbench's own, or a file of lua/
    title: str
    targets: tuple = ("plain",)
    threads: tuple = (64,)
    protocols: tuple = ("text",)      # text, prepared
    options: tuple = ()
    tables: int = 4
    peers: tuple = field(default=())  # empty: all that have the target


def scatter(kind, size):
    """One kind of range read over `size` keys, by one client: what a statement over so many parts takes."""
    ranges = {name: int(name == kind) for name in ("simple", "sum", "order", "distinct")}
    return Scenario(f"scatter_{kind}_{size}", "oltp_read_only", f"{kind.capitalize()} range of {size} rows over 8 and 64 parts",
                    ("shard8", "shard64"), (1,), peers=("anabranch",),
                    options=("--skip-trx=on", "--point_selects=0", f"--range_size={size}",
                             *(f"--{name}_ranges={number}" for name, number in ranges.items())))


ALL = [
    Scenario("point_select", "oltp_point_select", "Point select",
             ("plain", "rw", "shard8"), (64,), ("text", "prepared")),
    Scenario("read_write", "oltp_read_write", "OLTP transaction (report 000)",
             ("plain", "rw", "shard8"), (16, 64), ("text", "prepared")),
    Scenario("latency", "oltp_point_select", "One client: what a hop costs", ("plain",), (1,), ("text", "prepared")),
    Scenario("clients", "oltp_read_write", "From few clients to many (report 000)", ("plain",), (1, 16, 200, 800)),
    Scenario("split", "split.lua", "Reads outside, writes inside a transaction (report 000)", ("rw",), (16, 64, 400)),
    Scenario("crud", "crud.lua", "Primary-key CRUD on 8, 32, 64 parts (report 001)",
             ("shard8", "shard32", "shard64"), (100, 900), options=("--point_selects=1",)),
    Scenario("mix", "crud.lua", "Full mix with ranges on 8, 32, 64 parts (report 001)",
             ("shard8", "shard32", "shard64"), (64,), options=("--point_selects=1", "--ranges=on")),
    Scenario("shared", "oltp_point_select", "Connections that reads share", ("plain", "rw", "shard8"), (64, 256), ("text", "prepared")),
    Scenario("few", "oltp_point_select", "Few clients, which share none", ("plain",), (1, 4), ("text", "prepared")),
    Scenario("select", "oltp_point_select", "Selects alone (report 002)", ("plain",), (1, 16, 128)),
    Scenario("update", "oltp_update_index", "Updates of a key alone (report 002)", ("plain",), (1, 16, 128)),
    Scenario("insert", "oltp_insert", "Inserts alone (report 002)", ("plain",), (1, 16, 128)),
    Scenario("batch", "batch.lua", "INSERTs of 100 rows each", ("plain", "shard8"), (4,)),
    Scenario("read_only", "oltp_read_only", "Reads without transactions (report 003)",
             ("plain", "rw"), (16, 128, 1024), ("prepared",), ("--skip-trx=on",)),
    *(scatter(kind, size) for kind in ("simple", "sum", "order", "distinct") for size in (100, 1000)),
    Scenario("pair", "oltp_point_select", "Two proxies behind one balancer (reports 000, 003)", ("plain", "pair"), (64,)),
]
