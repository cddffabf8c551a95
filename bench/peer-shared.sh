#!/usr/bin/env bash
# Ours again, with connections that reads share (proxy-pipeline-depth: auto, or DEPTH), on 127.0.0.1:23337.
# usage: peer-shared.sh start|stop|pids|target KIND
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
DEPTH=${DEPTH:-auto} PORT=23337 HOME_NAME=shared exec "$here/peer-anabranch.sh" "$@"
