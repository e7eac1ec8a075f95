# shellcheck shell=bash
# Sourced by the faults. Each undoes itself: at its end, on Ctrl-C and on TERM. Not a program.

CHAOS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
FAULT=$(basename "$0")

usage() { echo "usage: $FAULT $*" >&2; exit 64; }
die() { echo "$FAULT: $*" >&2; exit 1; }

# target KIND NAME: dies unless NAME is one of the site's and its container runs.
target() {
  case $1:$2 in
    node:n[123] | member:be[1234]) ;;
    *) die "$1 is '$2', must be $([[ $1 == node ]] && echo 'n1 to n3' || echo 'be1 to be4')" ;;
  esac
  [[ $(docker inspect -f '{{.State.Running}}' "quorumlb-$2" 2> /dev/null) == true ]] \
    || die "container quorumlb-$2 does not run; start the site: make up"
}

# seconds TEXT: dies unless TEXT is empty (until ended) or a positive number.
seconds() { [[ -z $1 || $1 =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "seconds is '$1', must be a number"; }

# record TARGET PHASE: appends one line to today's history; phase is begin, end or recovered.
record() {
  local now
  now=$(date -u +%FT%T.%3NZ)
  mkdir -p "$CHAOS/history"
  printf '{"time":"%s","fault":"%s","target":"%s","phase":"%s"}\n' "$now" "$FAULT" "$1" "$2" \
    >> "$CHAOS/history/${now%%T*}.jsonl"
  echo "$now $FAULT $1 $2"
}

# hold SECONDS: waits that long, or until a signal if empty.
hold() {
  sleep "${1:-infinity}" &
  wait $! || true
}

# during TARGET SECONDS BEGIN UNDO: runs the command BEGIN, holds, and runs UNDO whatever ends it.
during() {
  local target=$1 held=$2 begin=$3
  undo_command=$4 undo_target=$target
  trap undo EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  record "$target" begin
  $begin
  hold "$held"
}

undo() {
  trap '' INT TERM
  [[ -n $(jobs -p) ]] && kill "$(jobs -p)" 2> /dev/null
  $undo_command || echo "$FAULT: cannot undo on $undo_target; by hand: $undo_command" >&2
  record "$undo_target" end
}

# run_client CLASS ARGUMENTS...: becomes a program of the cluster tests, compiled when needed.
run_client() {
  local java program=$1 root=${CHAOS%/*}
  shift
  local classes=$root/verify/target/test-classes class_path=$root/verify/target/measure.classpath
  java=$(compgen -G '/usr/lib/jvm/*25*/bin/java' | head -n 1) || die "no JDK 25 under /usr/lib/jvm; install one"
  if [[ ! -d $classes || ! -s $class_path || $root/verify/pom.xml -nt $class_path ]]; then
    echo "$FAULT: compiling its client" >&2
    (cd "$root" && ./mvnw -q -B -DskipTests -pl verify -am test-compile dependency:build-classpath \
      -Dmdep.includeScope=test -Dmdep.outputFile=target/measure.classpath >&2)
  fi
  export TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
  exec "$java" -Xmx256m -Dquorumlb.root="$root" \
    -Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener -cp "$classes:$(< "$class_path")" "io.quorumlb.verify.cluster.$program" "$@"
}
