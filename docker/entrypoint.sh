#!/bin/bash
# Runs the proxy in the foreground as the container's first process, so that SIGTERM reaches it and it drains.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
exec "$home/bin/start.sh" --foreground -a "${ADDRESS:-0.0.0.0}" -p "${PORT:-3307}" -c "${CONF_DIR:-$home/conf}"
