# shellcheck shell=bash
# Sourced by tune.sh: what the machine has, and what a control group leaves of it. All figures in bytes but for cores.

# Where /proc and /sys are: another place in tests.
machine=${ANABRANCH_MACHINE_ROOT:-}

first_number() { # file
  local word
  [ -r "$1" ] && read -r word _ <"$1" 2>/dev/null || return 0
  case $word in '' | *[!0-9]*) return 0 ;; esac
  echo "$word"
}

# Prints the smaller of two numbers; an empty one does not count.
least() { # a b
  if [ -z "$1" ]; then echo "$2"; elif [ -z "$2" ] || [ "$1" -le "$2" ]; then echo "$1"; else echo "$2"; fi
}

# This process's place below the root of its control groups: of version 2, or of a controller of version 1.
group_path() { # controller or nothing
  local hierarchy controllers path
  [ -r "$machine/proc/self/cgroup" ] || return 0
  while IFS=: read -r hierarchy controllers path; do
    if [ -z "$1" ]; then
      if [ "$hierarchy" = 0 ] && [ -z "$controllers" ]; then echo "$path"; return 0; fi
    else
      case ,$controllers, in *",$1,"*) echo "$path"; return 0 ;; esac
    fi
  done <"$machine/proc/self/cgroup"
}

# Prints each directory from a group up to the root. In a container the root is the group itself, whose path is not there.
group_folders() { # root path
  local root=$1 path=$2
  while [ -n "$path" ] && [ "$path" != / ] && [ "$path" != . ]; do
    [ ! -d "$root$path" ] || echo "$root$path"
    path=$(dirname "$path")
  done
  echo "$root"
}

is_version_2() { [ -r "$machine/sys/fs/cgroup/cgroup.controllers" ]; }

# What control groups leave of memory; nothing without a limit.
memory_limit() {
  local limit='' folder root='' file
  if is_version_2; then
    root=$machine/sys/fs/cgroup file=memory.max
    set -- "$(group_path '')"
  else
    root=$machine/sys/fs/cgroup/memory file=memory.limit_in_bytes
    set -- "$(group_path memory)"
  fi
  while IFS= read -r folder; do
    limit=$(least "$limit" "$(first_number "$folder/$file")")
  done <<<"$(group_folders "$root" "$1")"
  # version 1 says "no limit" as a number that no machine has
  if [ -n "$limit" ] && [ "${#limit}" -le 15 ]; then echo "$limit"; fi
}

# What control groups leave of the cores, in hundredths of one; nothing without a limit.
cores_limit() {
  local limit='' folder quota period share
  if is_version_2; then
    while IFS= read -r folder; do
      [ -r "$folder/cpu.max" ] || continue
      read -r quota period <"$folder/cpu.max"
      case $quota in '' | *[!0-9]*) continue ;; esac
      share=$((quota * 100 / ${period:-100000}))
      limit=$(least "$limit" "$share")
    done <<<"$(group_folders "$machine/sys/fs/cgroup" "$(group_path '')")"
  else
    while IFS= read -r folder; do
      quota=$(first_number "$folder/cpu.cfs_quota_us")
      period=$(first_number "$folder/cpu.cfs_period_us")
      if [ -z "$quota" ] || [ -z "$period" ]; then continue; fi
      limit=$(least "$limit" "$((quota * 100 / period))")
    done <<<"$(group_folders "$machine/sys/fs/cgroup/cpu" "$(group_path cpu)")"
  fi
  [ -z "$limit" ] || echo "$limit"
}

machine_cores() {
  local count
  count=$(grep -c '^processor' "$machine/proc/cpuinfo" 2>/dev/null)
  if [ "${count:-0}" -ge 1 ]; then echo "$count"; else echo 1; fi
}

# How many of the cores this process may run on: cpusets of containers, taskset, CPUAffinity of systemd. Nothing if
# that is not known; a list like 0-3,8.
cores_allowed() {
  awk '$1 == "Cpus_allowed_list:" {
    ranges = split($2, range, ",")
    for (i = 1; i <= ranges; i++) { ends = split(range[i], end, "-"); count += ends > 1 ? end[2] - end[1] + 1 : 1 }
    print count; exit
  }' "$machine/proc/self/status" 2>/dev/null
}

# A figure of /proc/meminfo, in bytes.
memory_figure() { # name
  local kilobytes
  kilobytes=$(awk -v name="$1:" '$1 == name { print $2; exit }' "$machine/proc/meminfo" 2>/dev/null)
  [ -z "$kilobytes" ] || echo $((kilobytes * 1024))
}

# always, madvise or never; nothing where the system has none.
huge_pages() { sed -n 's/.*\[\([a-z]*\)\].*/\1/p' "$machine/sys/kernel/mm/transparent_hugepage/enabled" 2>/dev/null; }

# Files that a process started from here may open: the soft limit, which Java raises to the hard one by itself.
descriptors() { awk '/^Max open files/ { print $5; exit }' "$machine/proc/self/limits" 2>/dev/null; }

somaxconn() { first_number "$machine/proc/sys/net/core/somaxconn"; }
