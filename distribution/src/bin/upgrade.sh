#!/usr/bin/env bash
# Puts another version in the place of this one. conf/, ext-lib/ and logs/ stay as they are; all else is replaced and
# kept in previous/, so that --back puts it back.
#
# usage: upgrade.sh [-c CONF_DIR] TARBALL | DIRECTORY      of the other version, older or newer
#        upgrade.sh --back                                 what was there before the last upgrade
#   -c CONF_DIR   the configuration that the other version is asked about before anything changes (conf/ beside bin/)
# environment: JAVA_HOME and ANABRANCH_LOG_DIR as for start.sh
# exit codes: 0 done, 1 not done, 2 usage, 78 the other version does not take the configuration; nothing has changed then
set -u
LC_ALL=C
. "$(dirname "${BASH_SOURCE[0]}")/process.sh" || exit 1

conf=$home/conf
as_given=("$@")
back=false
new=
while [ $# -gt 0 ]; do
  case $1 in
    -c) [ $# -ge 2 ] && [ -d "$2" ] || fail 2 "-c needs a configuration directory (see upgrade.sh --help)"
      conf=$2; shift 2 ;;
    --back) back=true; shift ;;
    -h | --help) usage "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) fail 2 "unknown argument $1 (see upgrade.sh --help)" ;;
    *) [ -z "$new" ] || fail 2 "one version only (see upgrade.sh --help)"
      new=$1; shift ;;
  esac
done
if $back; then
  [ -z "$new" ] || fail 2 "--back takes what is in $home/previous"
  new=$home/previous
  [ -x "$new/bin/start.sh" ] || fail 1 "there is no former version in $home/previous"
elif [ -z "$new" ]; then
  fail 2 "which version? (see upgrade.sh --help)"
fi
[ -e "$new" ] || fail 2 "there is no $new"
[ -w "$home" ] || fail 1 "may not write to $home"
# also those with another log directory, of which this one's pid file knows nothing
pids=$(running_pid)
[ -n "$pids" ] || pids=$(printf '%s\n' "-Danabranch.home=$home" | grep -slzxF -f - /proc/[0-9]*/cmdline | sed 's/[^0-9]//g' | paste -sd ' ' -)
[ -z "$pids" ] || fail 1 "it runs (pid $pids): stop.sh first. Behind a load balancer, one proxy after the other"

# On the same file system, so that everything is moved, not copied.
work=$home/.upgrade
# What was moved away goes back to its place; what has taken that is the other version's.
put_back() {
  local entry name
  if [ -r "$work/taken" ]; then
    while IFS= read -r name; do rm -rf "${home:?}/$name" || return 1; done <"$work/taken"
    rm -f "$work/taken" || return 1
  fi
  for entry in "$work"/former/* "$work"/former/.[!.]*; do
    [ -e "$entry" ] || continue
    mv "$entry" "$home/" || return 1
  done
}
put_back_or_fail() {
  put_back || fail 1 "what was there before could not be put back: it is in $work/former, move it to $home by hand"
}
# One that was cut off has left two versions mixed.
if [ -d "$work/former" ]; then
  put_back_or_fail
  rm -rf "$work" || exit 1
  say "an upgrade that was cut off has been undone"
  exec "$home/bin/upgrade.sh" "${as_given[@]}"
fi

rm -rf "$work" || exit 1
mkdir "$work" || fail 1 "cannot write to $home"
end() {
  trap - EXIT
  [ ! -d "$work/former" ] || put_back_or_fail
  rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM HUP
if [ -d "$new" ]; then
  cp -a "$new" "$work/unpacked" || fail 1 "cannot copy $new"
else
  mkdir "$work/unpacked"
  tar -xzf "$new" -C "$work/unpacked" --strip-components=1 || fail 1 "$new is no tarball of Anabranch"
fi
unpacked=$work/unpacked
[ -x "$unpacked/bin/start.sh" ] && [ -x "$unpacked/bin/anabranch" ] || fail 1 "$new is no Anabranch"

if [ -d "$home/ext-lib" ] && [ "$(ls "$home/ext-lib")" ]; then
  mkdir -p "$unpacked/ext-lib" && cp -a "$home"/ext-lib/. "$unpacked/ext-lib/" || exit 1
fi
if [ -e "$conf/global.yaml" ] || [ -e "$conf/server.yaml" ]; then
  "$unpacked/bin/anabranch" check -q -a 127.0.0.1 "$conf" || fail 78 "the other version does not take $conf; nothing has changed"
fi

stays() { case $1 in conf | ext-lib | logs | previous | .upgrade) return 0 ;; *) return 1 ;; esac; }
mkdir "$work/former" || exit 1
# Entry by entry, so that there is always one version of bin/ to go on with.
for entry in "$unpacked"/* "$unpacked"/.[!.]*; do
  name=$(basename "$entry")
  if [ ! -e "$entry" ] || stays "$name"; then continue; fi
  if [ -e "$home/$name" ]; then mv "$home/$name" "$work/former/" || fail 1 "cannot move $home/$name; nothing has changed"; fi
  echo "$name" >>"$work/taken" && mv "$entry" "$home/" || fail 1 "cannot move $entry; nothing has changed"
done
# what only the former version has
for entry in "$home"/* "$home"/.[!.]*; do
  name=$(basename "$entry")
  if [ ! -e "$entry" ] || stays "$name" || grep -qxF -e "$name" "$work/taken"; then continue; fi
  mv "$entry" "$work/former/" || fail 1 "cannot move $entry; nothing has changed"
done
trap - EXIT
for name in conf ext-lib logs; do
  [ -e "$home/$name" ] || [ ! -e "$unpacked/$name" ] || mv "$unpacked/$name" "$home/"
done
{ rm -rf "$home/previous" && mv "$work/former" "$home/previous" && rm -rf "$work"; } ||
  fail 1 "the other version is in place; the former one is in $work/former, and could not be moved to $home/previous"
say "$("$home/bin/anabranch" version) is in place; upgrade.sh --back puts back what was there, bin/start.sh starts it"
