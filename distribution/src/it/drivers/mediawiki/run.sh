#!/usr/bin/env bash
# MediaWiki (Debian's package): its installer, edits, search index, jobs, special pages, dumps.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR
# database: tools
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
wiki=/usr/share/mediawiki
need $wiki/maintenance/install.php mediawiki
empty "$5"
rm -rf "$SUITE_DIR"
mkdir -p "$SUITE_DIR/conf"
export MW_INSTALL_PATH=$wiki
run() { # name command...
  echo "== $1"
  shift
  timeout 300 php -d display_errors=1 "$@" 2>&1 | grep -vE '^(Using MediaWiki|Deprecated|PHP Deprecated)|type=purge|[0-9.]+ ?(s|sec|seconds|ms|/sec|revs/sec)\b'
  local status=${PIPESTATUS[0]}
  [ "$status" = 0 ] || echo "exit code $status"
}
run install $wiki/maintenance/install.php --dbtype=mysql --dbserver="$1:$2" --dbname="$5" --dbuser="$3" --dbpass="$4" \
  --installdbuser="$3" --installdbpass="$4" --confpath="$SUITE_DIR/conf" --scriptpath=/w --pass='a long passphrase 7' Suite Admin
settings=$SUITE_DIR/conf/LocalSettings.php
[ -f "$settings" ] || exit 1
export MW_CONFIG_FILE=$settings
maintenance=$wiki/maintenance
for page in River Lake Delta; do
  for text in "A [[River]] and a [[Lake]]. [[Category:Water]]" "Changed: naïve 水 🌊 '''$page'''. [[Category:Water]] {{Box}}"; do
    echo "$text" | run "edit $page" "$maintenance/edit.php" --user Admin --summary "of $page" "$page"
  done
done
echo "boxed" | run "edit template" "$maintenance/edit.php" --user Admin Template:Box
# Which jobs are joined into one is a matter of seconds.
run jobs "$maintenance/runJobs.php" > >(grep -vE ' (STARTING|good)$')
wait
run "text index" "$maintenance/rebuildtextindex.php"
run "recent changes" "$maintenance/rebuildrecentchanges.php"
run "links" "$maintenance/refreshLinks.php"
run "special pages" "$maintenance/updateSpecialPages.php"
run "statistics" "$maintenance/showSiteStats.php"
run "a user" "$maintenance/createAndPromote.php" --sysop Second 'another passphrase 8'
run "text" "$maintenance/getText.php" River
echo 'Lake|Sea' >"$SUITE_DIR/moves"
run "move" "$maintenance/moveBatch.php" -u Admin "$SUITE_DIR/moves"
echo Delta >"$SUITE_DIR/deletions"
run "deletion" "$maintenance/deleteBatch.php" -u Admin "$SUITE_DIR/deletions"
run "update" "$maintenance/update.php" --quick
run "cases" "$here/cases.php"
