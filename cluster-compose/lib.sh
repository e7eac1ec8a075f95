# shellcheck shell=bash disable=SC2034
# Sourced by the site's scripts: places, talk, and the compose command. Not a program.

SITE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(dirname "$SITE")
STATE=$SITE/.state
DOCKER_DATA=/var/lib/quorumlb-docker
mkdir -p "$STATE"

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 1; }

# Compose 2, as a plugin of the engine's client or as the one we unpacked into our own state.
# QUORUMLB_OVERRIDES names further compose files here, without .yaml: QUORUMLB_OVERRIDES=af-xdp make up
compose() {
  local override
  local -a files=(-f "$SITE/compose.yaml")
  for override in ${QUORUMLB_OVERRIDES:-}; do
    [[ -f $SITE/$override.yaml ]] || die "QUORUMLB_OVERRIDES names '$override', but there is no $SITE/$override.yaml"
    files+=(-f "$SITE/$override.yaml")
  done
  if docker compose version > /dev/null 2>&1; then
    docker compose "${files[@]}" "$@"
  else
    "$STATE/docker-compose" "${files[@]}" "$@"
  fi
}

# alone NAME: waits until no other process of this checkout is at NAME, then keeps others waiting until this one ends.
alone() {
  exec 8> "$STATE/$1.lock"
  flock -n 8 && return
  say "waiting for another process that is at the $1 of this site"
  flock 8
}

engine_answers() { timeout 5 docker version --format '{{.Server.Version}}' > /dev/null 2>&1; }
