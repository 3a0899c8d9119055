#!/bin/sh
# A key command (see docs/guides/key-command.md) for a hardware security module, or any other token that speaks PKCS#11:
# data keys are encrypted in the token with AES-256 (CBC, padded) and authenticated in it with HMAC-SHA-256. The keys of
# the token never leave it. It needs pkcs11-tool (Debian: opensc) and openssl.
#
#   PKCS11_MODULE     the token's library, such as /usr/lib/softhsm/libsofthsm2.so
#   PKCS11_TOKEN      the token's label
#   PKCS11_PIN        the user's PIN; better from a file that only the gateway's user may read: PKCS11_PIN_FILE
#   PKCS11_CURRENT    a file with the id of the current key, one line; `rotate` writes it
#
# The id of a key-encryption key is eight hexadecimal digits. In the token the AES key has that id, and the key of the
# MAC has the same with ac behind it.
set -eu

: "${PKCS11_MODULE:?}" "${PKCS11_TOKEN:?}" "${PKCS11_CURRENT:?}"
if [ -n "${PKCS11_PIN_FILE:-}" ]; then PKCS11_PIN=$(cat "$PKCS11_PIN_FILE"); fi
export PKCS11_PIN

if [ "${TENDER_KEY_PROTOCOL:-1}" != 1 ]; then
  echo "this script speaks version 1 of the protocol" >&2
  exit 1
fi

umask 077
work=$(mktemp -d "${TMPDIR:-/dev/shm}/key-command.XXXXXX" 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT

# Warnings of the tool are shown only when it fails.
token() {
  if ! pkcs11-tool --module "$PKCS11_MODULE" --token-label "$PKCS11_TOKEN" --login --pin env:PKCS11_PIN "$@" \
    >"$work/said" 2>&1; then
    cat "$work/said" >&2
    exit 1
  fi
}

hex() { od -An -v -tx1 | tr -d ' \n'; }

check_id() {
  case $1 in
    *[!0-9a-f]* | '') echo "no such key: $1" >&2; exit 1 ;;
  esac
  [ ${#1} -eq 8 ] || { echo "no such key: $1" >&2; exit 1; }
}

# The MAC covers the id too: a wrapped key is of use under its own key-encryption key alone.
mac_of() {
  { printf '%s' "$1"; cat "$work/iv" "$work/sealed"; } >"$work/covered"
  token --sign --mechanism SHA256-HMAC --id "$1ac" --input-file "$work/covered" --output-file "$work/mac"
}

new_key() {
  id=$(openssl rand -hex 4)
  token --keygen --key-type AES:32 --id "$id" --label "tender $id" --usage-decrypt --sensitive
  token --keygen --key-type GENERIC:32 --id "${id}ac" --label "tender $id mac" --usage-sign --sensitive
  printf '%s\n' "$id" >"$PKCS11_CURRENT.new"
  sync "$PKCS11_CURRENT.new"
  mv "$PKCS11_CURRENT.new" "$PKCS11_CURRENT"
}

case ${1:-} in
  wrap)
    [ -s "$PKCS11_CURRENT" ] || new_key
    id=$(cat "$PKCS11_CURRENT")
    check_id "$id"
    base64 -d >"$work/plain"
    openssl rand 16 >"$work/iv"
    token --encrypt --mechanism AES-CBC-PAD --id "$id" --iv "$(hex <"$work/iv")" \
      --input-file "$work/plain" --output-file "$work/sealed"
    mac_of "$id"
    printf '%s %s\n' "$id" "$(cat "$work/iv" "$work/mac" "$work/sealed" | base64 | tr -d '\n')"
    ;;
  unwrap)
    id=${2:-}
    check_id "$id"
    base64 -d >"$work/wrapped"
    head -c 16 "$work/wrapped" >"$work/iv"
    tail -c +17 "$work/wrapped" | head -c 32 >"$work/given"
    tail -c +49 "$work/wrapped" >"$work/sealed"
    mac_of "$id"
    if ! cmp -s "$work/given" "$work/mac"; then
      echo "the wrapped key was altered, or is not of key $id" >&2
      exit 1
    fi
    token --decrypt --mechanism AES-CBC-PAD --id "$id" --iv "$(hex <"$work/iv")" \
      --input-file "$work/sealed" --output-file "$work/plain"
    base64 <"$work/plain" | tr -d '\n'
    echo
    ;;
  rotate)
    new_key
    echo "$id"
    ;;
  retire)
    id=${2:-}
    check_id "$id"
    if [ "$id" = "$(cat "$PKCS11_CURRENT")" ]; then
      echo "$id is the current key; rotate first" >&2
      exit 1
    fi
    token --delete-object --type secrkey --id "$id"
    token --delete-object --type secrkey --id "${id}ac"
    ;;
  *)
    echo "usage: $0 wrap | unwrap <id> | rotate | retire <id>" >&2
    exit 64
    ;;
esac
