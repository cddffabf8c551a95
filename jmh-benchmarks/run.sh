#!/usr/bin/env bash
# Runs the JMH benchmarks and writes target/report.md beside this file: time and allocation of each.
# Java 25: JAVA_HOME, PATH or /usr/lib/jvm. usage: run.sh [JMH arguments], for example: run.sh Planning -f 1 -wi 2 -i 3
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=$here/target
options=("$@")
[ $# -gt 0 ] || options=(-f 2 -wi 5 -i 5 -w 1 -r 1)

mvn -q -B -f "$here/../pom.xml" -pl jmh-benchmarks -am -DskipTests test-compile \
  dependency:build-classpath -Dmdep.outputFile=target/classpath
for candidate in "${JAVA_HOME:-/nowhere}/bin/java" "$(command -v java || true)" /usr/lib/jvm/*25*/bin/java; do
  case $("$candidate" -version 2>&1) in *'version "25'*) java=$candidate && break ;; esac
done
[ -n "${java:-}" ] || { echo "no Java 25 found: set JAVA_HOME" >&2; exit 69; }
"$java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -cp "$target/classes:$(cat "$target/classpath")" org.openjdk.jmh.Main \
  "${options[@]}" -prof gc -rf csv -rff "$target/jmh.csv"
python3 - "$target/jmh.csv" >"$target/report.md" <<'P'
import csv
import sys

rows = {}
for row in csv.DictReader(open(sys.argv[1])):
    name, _, measured = row["Benchmark"].partition(":")
    name = ".".join(name.split(".")[-2:])
    extra = " ".join(f"{k[7:]}={v}" for k, v in row.items() if k.startswith("Param: ") and v)
    rows.setdefault((name, extra), {})[measured or "score"] = row
print("| benchmark | score | error | unit | bytes/op |")
print("|---|---|---|---|---|")
for (name, extra), measured in rows.items():
    main = measured["score"]
    allocated = next((r["Score"] for m, r in measured.items() if m.endswith("gc.alloc.rate.norm")), "")
    allocated = f"{float(allocated):.0f}" if allocated else ""
    print(f"| {name} {extra} | {float(main['Score']):.1f} | {float(main['Score Error (99.9%)']):.1f}"
          f" | {main['Unit']} | {allocated} |")
P
echo
cat "$target/report.md"
