#!/usr/bin/env bash
# Starts a sandbox in the background, waits until it is ready, and writes where it is to $GITHUB_OUTPUT and, as
# TENDER_SANDBOX_…, to $GITHUB_ENV. It runs from the checkout that this file is in, and ends with the job.
set -euo pipefail

READY_LIMIT_S=300
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
node=${TENDER_ACTION_NODE:-node}
folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/tender-XXXXXX")
log="$folder/log"

# What the job sets for other gateways is not for this one.
while read -r name; do unset "$name"; done < <(compgen -e | grep -E '^(PORT|HOST|DATABASE_URL|TENDER_.*)$' |
  grep -v '^TENDER_ACTION_')
# The arguments are meant to be divided.
# shellcheck disable=SC2086
setsid "$node" "$here/bin/tender.mjs" start --port "${TENDER_ACTION_PORT:-0}" --data "$folder/data" \
  ${TENDER_ACTION_ARGUMENTS:-} >"$log" 2>&1 </dev/null &
pid=$!

for ((waited = 0; ; waited++)); do
  health=$(grep -oE 'http\S+/readyz' "$log" | head -n 1 || true)
  [[ -n $health ]] && "$node" -e 'fetch(process.argv[1]).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' \
    "$health" && break
  if ((waited >= READY_LIMIT_S)) || ! kill -0 "$pid" 2>/dev/null; then
    echo "::error::the sandbox did not start"
    cat "$log"
    kill "$pid" 2>/dev/null || true
    exit 1
  fi
  sleep 1
done

said() { grep -oE "^ *$1 +\S+" "$log" | head -n 1 | awk '{ print $NF }'; }
tell() {
  echo "$1=$2" >>"$GITHUB_OUTPUT"
  local name=${1//-/_}
  echo "TENDER_SANDBOX_${name^^}=$2" >>"$GITHUB_ENV"
}
tell base-url "$(said Interface)"
tell endpoint "$(said Endpoints)"
tell login "$(said Login)"
tell control-key "$(said 'Control key')"
tell private-key-file "$folder/data/demo-private-key.pem"
tell log "$log"
tell pid "$pid"
echo "The sandbox is at $(said Interface)."
