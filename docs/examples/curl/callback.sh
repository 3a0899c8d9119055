# Checks the address that a callback called, as your server's log has it.
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
value() { printf '%s' "$CALLED" | tr '?&' '\n\n' | sed -n "s/^$1=//p"; }
CALLED=$1

# control = SHA-1 of: status, orderid, client_orderid, control key
EXPECTED=$(printf '%s' "$(value status)$(value orderid)$(value client_orderid)$KEY" | openssl dgst -sha1 -r | cut -d' ' -f1)
if [ "$EXPECTED" = "$(value control)" ]; then echo genuine; else echo forged; fi
