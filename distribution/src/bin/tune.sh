#!/usr/bin/env bash
# Says what suits this machine: heap, direct memory, collector, event loops, pools, with a reason each.
#
# usage: tune.sh [-c CONF_DIR] [--clients N] [--write | --check]
#   -c CONF_DIR   configuration directory (conf/ beside bin/)
#   --clients N   clients that are connected at the same time (proxy-frontend-max-connections, else 1000)
#   --write       put the JVM's part into CONF_DIR/jvm.options; the former file is kept as jvm.options.before-tune,
#                 lines that are not about these options stay
#   --check       say only what of the options in force does not fit the machine; start.sh does so
# environment: ANABRANCH_JVM_OPTS as for start.sh; ANABRANCH_MACHINE_ROOT where /proc and /sys are, for tests
# exit codes: 0 done, or everything fits, 1 something does not fit (--check), or could not be written, 2 usage
set -u
LC_ALL=C
here=$(dirname "${BASH_SOURCE[0]}")
. "$here/process.sh" || exit 1
. "$here/machine.sh" || exit 1

conf=$home/conf
clients=
mode=print
while [ $# -gt 0 ]; do
  case $1 in
    -c) [ $# -ge 2 ] && [ -d "$2" ] || fail 2 "-c needs a configuration directory (see tune.sh --help)"
      conf=$2; shift 2 ;;
    --clients)
      case ${2:-} in '' | *[!0-9]* | ????????* | 0) fail 2 "--clients needs a number (see tune.sh --help)" ;; esac
      clients=$2; shift 2 ;;
    --write | --check)
      [ "$mode" = print ] || fail 2 "--write and --check are two things"
      mode=${1#--}; shift ;;
    -h | --help) usage "${BASH_SOURCE[0]}"; exit 0 ;;
    *) fail 2 "unknown argument $1 (see tune.sh --help)" ;;
  esac
done

mebibyte=1048576
# Of the JVM besides heap and direct memory: classes, compiled code, stacks, the collector's own. A proxy of
# 128 MB of heap was seen at 207 MB in all.
other=$((192 * mebibyte))

# A number of the props in global.yaml; nothing if it is not there.
prop() { # name
  sed -n "s/^[ \"']*$1[\"']*: *[\"']*\([0-9][0-9]*\).*/\1/p" "$conf/global.yaml" 2>/dev/null | head -n 1
}

# Prints "SOURCES CONNECTIONS": data sources of the database files, and what their pools may open together. What an
# anchor gives to others is taken for all of its file.
pools() {
  local file
  for file in "$conf"/database-*.yaml; do
    [ -r "$file" ] || continue
    awk '
      /^ *#/ { next }
      { line = $0; sources += gsub(/(url|jdbcUrl)["'\'']?: *["'\'']?jdbc:/, "", line) }
      match($0, /maxPoolSize["'\'']?: *[0-9]+/) {
        size = substr($0, RSTART, RLENGTH); sub(/.*: */, "", size)
        if (size + 0 > most) most = size + 0
      }
      END { print sources + 0, sources * (most ? most : 50) }' "$file"
  done | awk '{ sources += $1; connections += $2 } END { print sources + 0, connections + 0 }'
}

read -r sources connections <<<"$(pools)"
limit_of_clients=$(prop proxy-frontend-max-connections)
[ "${limit_of_clients:-0}" -gt 0 ] || limit_of_clients=
[ -n "$clients" ] || clients=${limit_of_clients:-1000}
backlog=$(prop proxy-netty-backlog)
backlog=${backlog:-1024}

# What the machine has, and what of it is ours.
cores=$(machine_cores)
allowed=$(cores_allowed)
quota=$(cores_limit)
cores_from="the machine's"
if [ -n "$allowed" ] && [ "$allowed" -lt "$cores" ]; then
  cores=$allowed
  cores_from="those that this process may run on (cpuset, affinity)"
fi
if [ -n "$quota" ] && [ $(((quota + 99) / 100)) -lt "$cores" ]; then
  # as Java counts them; a quota may be less than a hundredth of a core
  cores=$(((quota + 99) / 100))
  [ "$cores" -ge 1 ] || cores=1
  cores_from="the control group's"
fi
total=$(memory_figure MemTotal)
limit=$(memory_limit)
memory=$(least "$total" "$limit")
memory_from="the machine's"
if [ -n "$limit" ] && [ "$memory" = "$limit" ]; then memory_from="the control group's"; fi
pages=$(huge_pages)

options_in_force() {
  if [ -n "${ANABRANCH_JVM_OPTS:-}" ]; then
    printf '%s\n' "$ANABRANCH_JVM_OPTS" | tr -s ' ' '\n'
  else
    local file
    for file in "$conf/jvm.options" "$home/conf/jvm.options" "$home/lib/defaults/jvm.options"; do
      [ ! -r "$file" ] || { tr -d '\r' <"$file" | grep -v '^#'; return 0; }
    done
  fi
}

# The last one counts, as for Java: 512m, 2g or bytes.
size_option() { # prefix
  local value
  value=$(options_in_force | sed -n "s/^$1\([0-9]*[kKmMgG]\{0,1\}\)\$/\1/p" | tail -n 1)
  case $value in
    '') ;;
    *[kK]) echo $((${value%?} * 1024)) ;;
    *[mM]) echo $((${value%?} * mebibyte)) ;;
    *[gG]) echo $((${value%?} * 1024 * mebibyte)) ;;
    *) echo "$value" ;;
  esac
}
in_mebibytes() { echo "$(($1 / mebibyte)) MB"; }

if [ "$mode" = check ]; then
  fits=true
  warn() {
    fits=false
    say "the machine does not fit: $*" >&2
  }
  heap=$(size_option -Xmx)
  direct=$(size_option -XX:MaxDirectMemorySize=)
  if [ -n "$memory" ] && [ -n "$heap" ]; then
    needed=$((heap + ${direct:-$heap} + other))
    [ "$needed" -le "$memory" ] || warn "-Xmx, -XX:MaxDirectMemorySize and Java itself may need $(in_mebibytes "$needed"), $memory_from limit is $(in_mebibytes "$memory"): the kernel may kill the proxy. bin/tune.sh says what fits"
  fi
  files=$(descriptors)
  needed=$((clients + connections + 256))
  case $files in '' | *[!0-9]*) ;; *)
    [ "$files" -ge "$needed" ] || warn "$files open files are allowed, $clients clients, $connections connections to databases and the rest need $needed (ulimit -Hn, LimitNOFILE)" ;;
  esac
  queue=$(somaxconn)
  [ -z "$queue" ] || [ "$queue" -ge "$backlog" ] || warn "net.core.somaxconn is $queue: no more clients than that can wait to be accepted, proxy-netty-backlog wants $backlog"
  if [ "$pages" = never ] && options_in_force | grep -qx -- '-XX:+UseTransparentHugePages'; then
    warn "jvm.options asks for huge pages, /sys/kernel/mm/transparent_hugepage/enabled says never: point selects take about a tenth more CPU"
  fi
  $fits && exit 0
  exit 1
fi

[ -n "$memory" ] || fail 1 "no memory is known: $machine/proc/meminfo cannot be read"

# shellcheck disable=SC2017
rounded() { echo $((($1 + 32 * mebibyte - 1) / (32 * mebibyte) * 32)); } # up, in MB
between() { # least value most
  if [ "$2" -lt "$1" ]; then echo "$1"; elif [ "$2" -gt "$3" ]; then echo "$3"; else echo "$2"; fi
}

available=$((memory - other))
[ "$available" -ge $((192 * mebibyte)) ] || fail 1 "$(in_mebibytes "$memory") ($memory_from) are not enough: the least is 384 MB"
heap_wanted=$((256 * mebibyte + cores * 64 * mebibyte + clients * 16384))
heap=$(rounded "$heap_wanted")
# compressed pointers end at 32 GB
heap=$(between 96 "$heap" 31744)
most=$((available / mebibyte / 2 / 32 * 32))
heap_note=
if [ "$heap" -gt "$most" ]; then
  heap=$most
  heap_note=", cut to half of what Java itself leaves of $(in_mebibytes "$memory")"
fi
direct_wanted=$((128 * mebibyte + cores * 32 * mebibyte + clients * 65536 + connections * 32768))
direct=$(rounded "$direct_wanted")
direct_note=
if [ "$direct" -gt "$most" ]; then
  direct=$most
  direct_note=", cut to half of what Java itself leaves of $(in_mebibytes "$memory")"
fi
if [ "$cores" -ge 2 ] && [ "$heap" -ge 256 ]; then
  collector=G1
  collector_reason="pauses of a few milliseconds; ZGC was measured at 10 us more CPU per query"
else
  collector=Serial
  collector_reason="with one core, or a small heap, threads that collect beside the proxy cost more than they save"
fi
case $pages in
  always | madvise) huge=true huge_reason="the system lends them ($pages): 8 to 11 % fewer user cycles per query" ;;
  *) huge=false huge_reason="the system lends none (${pages:-no transparent_hugepage}); madvise in /sys/kernel/mm/transparent_hugepage/enabled would" ;;
esac
pool=
if [ "$sources" -gt 0 ]; then
  pool=$(between 10 $((cores * 50 / sources)) "$clients")
fi

row() { printf '%-42s %s\n' "$1" "$2"; }
say_all() {
  row "cores: $cores" "$cores_from"
  row "memory: $(in_mebibytes "$memory")" "$memory_from"
  row "clients: $clients" "--clients, else proxy-frontend-max-connections, else 1000"
  row "data sources: $sources" "of database-*.yaml in $conf; their pools open up to $connections connections"
  echo
  echo "jvm.options:"
  row "-Xms64m -Xmx${heap}m" "256 MB for plans and statistics, 64 MB per core for statements that merge, 16 KB per client$heap_note"
  row "-XX:MaxDirectMemorySize=${direct}m" "128 MB and 32 MB per event loop for buffers at rest, 64 KB per client and 32 KB per connection for packets under way$direct_note"
  row "-XX:+Use${collector}GC" "$collector_reason"
  [ "$collector" = Serial ] || row "-XX:MaxGCPauseMillis=20" "a client waits no longer for it"
  row "-XX:$($huge && echo + || echo -)UseTransparentHugePages" "$huge_reason"
  echo
  echo "global.yaml, database-*.yaml:"
  row "proxy-frontend-executor-size: 0" "one event loop per core: $cores"
  if [ -n "$pool" ]; then
    row "maxPoolSize: $pool" "50 per core over $sources data source(s): a core relays about 25,000 point selects a second, each 2 ms in its database at most; fewer if the database has fewer cores"
  fi
}

if [ "$mode" = print ]; then
  say_all
  exit 0
fi

file=$conf/jvm.options
source_file=$file
# as start.sh looks for them: what is in force is what it begins with
[ -r "$source_file" ] || source_file=$home/conf/jvm.options
[ -r "$source_file" ] || source_file=$home/lib/defaults/jvm.options
[ -r "$source_file" ] || fail 1 "there is no $file to begin with"
new=$file.new
# Each option where it stood; those that are new at the end, as is what follows a comment about it.
tr -d '\r' <"$source_file" | awk \
  -v heap="$heap" -v direct="$direct" -v collector="$collector" -v huge="$($huge && echo + || echo -)" '
  function put(key, line) { if (!(key in done)) { print line; done[key] = 1 } }
  function pause() { if (collector == "G1") put("pause", "-XX:MaxGCPauseMillis=20") }
  /^-Xms/ { put("xms", "-Xms64m"); next }
  /^-Xmx/ { put("xmx", "-Xmx" heap "m"); next }
  /^-XX:MaxDirectMemorySize=/ { put("direct", "-XX:MaxDirectMemorySize=" direct "m"); next }
  /^-XX:[+-]Use[A-Za-z0-9]*GC$/ { put("gc", "-XX:+Use" collector "GC"); next }
  /^-XX:MaxGCPauseMillis=/ { pause(); next }
  /^-XX:[+-]UseTransparentHugePages$/ { put("huge", "-XX:" huge "UseTransparentHugePages"); next }
  { print }
  END {
    put("xms", "-Xms64m")
    put("xmx", "-Xmx" heap "m")
    put("direct", "-XX:MaxDirectMemorySize=" direct "m")
    put("gc", "-XX:+Use" collector "GC")
    pause()
    put("huge", "-XX:" huge "UseTransparentHugePages")
  }' >"$new" || fail 1 "cannot write $new"
if [ -r "$file" ]; then
  if cmp -s "$new" "$file"; then
    rm -f "$new"
    say_all
    echo
    say "$file says so already"
    exit 0
  fi
  cp -p "$file" "$file.before-tune" || fail 1 "cannot write $file.before-tune"
  # the owner's rights stay
  cat "$new" >"$file" || fail 1 "cannot write $file"
  rm -f "$new"
else
  mv "$new" "$file" || fail 1 "cannot write $file"
fi
say_all
echo
say "written to $file$([ ! -r "$file.before-tune" ] || echo "; the former one is $file.before-tune"). It takes effect at the next start; bin/train.sh makes the cache of classes fit"
