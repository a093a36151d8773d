#!/bin/sh
# Starts Linnet with the Node.js of this release, also through a symbolic link.
set -eu
release=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
export NODE_ENV="${NODE_ENV:-production}"
exec "$release/node/bin/node" "$release/app/@script@" "$@"
