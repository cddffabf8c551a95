# Where the bed is; sourced by bed.sh and compare.sh.
BED_DIR=${BED_DIR:-$module/target/drivers}
BED_LAYOUT=${BED_LAYOUT:-same}
BED_SERVER=${BED_SERVER:-mariadb}
BED_PORT=${BED_PORT:-24300}
BED_DIRECT_PORT=$BED_PORT
BED_BEHIND_PORT=$((BED_PORT + 1))
BED_PROXY_PORT=$((BED_PORT + 2))
BED_USER=suite
BED_PASSWORD=suite-secret
