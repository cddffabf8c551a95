# What suites of tools share; sourced with the arguments of their run.sh: HOST PORT USER PASSWORD DATABASE.
client=(mariadb --no-defaults --default-character-set=utf8mb4 -h"$1" -P"$2" -u"$3" -p"$4")

# Drops all tables and views of a database.
empty() { # database
  local kind name drops="SET foreign_key_checks = 0;"
  while IFS=$'\t' read -r name kind; do
    if [ "$kind" = VIEW ]; then drops+="DROP VIEW \`$name\`;"; else drops+="DROP TABLE \`$name\`;"; fi
  done < <("${client[@]}" -N "$1" -e 'SHOW FULL TABLES')
  "${client[@]}" "$1" -e "$drops"
}

# A program that the suite can't do without.
need() { # program package
  command -v "$1" >/dev/null || [ -e "$1" ] || { echo "$1 is absent: apt install $2" >&2; exit 1; }
}
