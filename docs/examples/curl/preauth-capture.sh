URL=${TENDER_URL:-http://localhost:8080/paynet}
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
ORDER=curl-$(date +%s)-$$
sha1() { printf '%s' "$1$KEY" | openssl dgst -sha1 -r | cut -d' ' -f1; }
ask() { curl -s "$URL/api/v2/$1/101" -H 'Accept: application/vnd.pay+json' "${@:2}"; }
status() { ask status -d login=demo -d client_orderid="$ORDER" -d control="$(sha1 "demo$ORDER")"; }

ask preauth -d client_orderid="$ORDER" -d order_desc='A hotel room' -d amount=100.00 -d currency=USD \
  -d email=ann@example.com -d credit_card_number=4444555566661111 -d card_printed_name='ANN EXAMPLE' \
  -d expire_month=12 -d expire_year=2031 -d cvv2=123 \
  -d control="$(sha1 "101${ORDER}10000ann@example.com")"
until status | grep -q '"status":"approved"'; do sleep 0.2; done
ORDERID=$(status | sed 's/.*"paynet-order-id":"\([0-9]*\)".*/\1/')

# The guest leaves a day early: 80.00 of the 100.00 that are held.
ask capture -H "Idempotency-Key: $ORDER-capture" \
  -d login=demo -d client_orderid="$ORDER" -d orderid="$ORDERID" -d amount=80.00 -d currency=USD \
  -d control="$(sha1 "demo${ORDER}${ORDERID}8000USD")"
until status | grep -q '"status":"approved".*"transaction-type":"capture"'; do sleep 0.2; done
status
