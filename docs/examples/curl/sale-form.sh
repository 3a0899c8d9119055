URL=${TENDER_URL:-http://localhost:8080/paynet}
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
ORDER=curl-$(date +%s)-$$

CONTROL=$(printf '%s' "101${ORDER}1042ann@example.com${KEY}" | openssl dgst -sha1 -r | cut -d' ' -f1)
# The payer's browser goes to "redirect-url" of the answer.
curl -s "$URL/api/v2/sale-form/101" \
  -H 'Accept: application/vnd.pay+json' \
  -d client_orderid="$ORDER" -d order_desc='Two tickets' -d amount=10.42 -d currency=USD \
  -d email=ann@example.com \
  -d redirect_url=https://shop.example/paid -d server_callback_url=https://shop.example/callback \
  -d control="$CONTROL"
