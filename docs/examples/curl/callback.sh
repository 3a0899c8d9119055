# Checks a callback as your server's log has it: its address, webhook-id, webhook-timestamp and webhook-signature.
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
CALLED=$1 ID=$2 SECONDS_SENT=$3 SIGNATURES=$4

# A signature is v1, and the base64 HMAC-SHA256 of id.timestamp.query; the control alone can be forged.
EXPECTED=v1,$(printf '%s' "$ID.$SECONDS_SENT.${CALLED#*\?}" | openssl dgst -sha256 -hmac "$KEY" -binary | base64)
AGE=$(($(date +%s) - SECONDS_SENT))
case " $SIGNATURES " in *" $EXPECTED "*) IS_SIGNED=yes ;; *) IS_SIGNED=no ;; esac
# Of a genuine one, compare orderid, amount and currency with the order that you stored.
if [ $IS_SIGNED = yes ] && [ "${AGE#-}" -le 300 ]; then echo genuine; else echo forged; fi
