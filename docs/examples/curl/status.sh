URL=${TENDER_URL:-http://localhost:8080/paynet}
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
ORDER=$1

# control = SHA-1 of: login, client_orderid, orderid (here none), control key
CONTROL=$(printf '%s' "demo${ORDER}${KEY}" | openssl dgst -sha1 -r | cut -d' ' -f1)
curl -s "$URL/api/v2/status/101" \
  -H 'Accept: application/vnd.pay+json' \
  -d login=demo -d client_orderid="$ORDER" -d control="$CONTROL"
