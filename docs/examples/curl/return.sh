URL=${TENDER_URL:-http://localhost:8080/paynet}
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
ORDER=$1
ORDERID=$2

# control = SHA-1 of: login, client_orderid, orderid, amount in minor units, currency, control key
CONTROL=$(printf '%s' "demo${ORDER}${ORDERID}400USD${KEY}" | openssl dgst -sha1 -r | cut -d' ' -f1)
curl -s "$URL/api/v2/return/101" \
  -H 'Accept: application/vnd.pay+json' -H "Idempotency-Key: $ORDER-return-1" \
  -d login=demo -d client_orderid="$ORDER" -d orderid="$ORDERID" \
  -d amount=4.00 -d currency=USD -d comment='One ticket back' -d control="$CONTROL"
