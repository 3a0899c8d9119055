URL=${TENDER_URL:-http://localhost:8080/paynet}
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
ORDER=curl-$(date +%s)-$$

# control = SHA-1 of: endpoint id, client_orderid, amount in minor units, email, control key
CONTROL=$(printf '%s' "101${ORDER}1042ann@example.com${KEY}" | openssl dgst -sha1 -r | cut -d' ' -f1)
curl -s "$URL/api/v2/sale/101" \
  -H 'Accept: application/vnd.pay+json' \
  -d client_orderid="$ORDER" -d order_desc='Two tickets' -d amount=10.42 -d currency=USD \
  -d email=ann@example.com \
  -d credit_card_number=4444555566661111 -d card_printed_name='ANN EXAMPLE' \
  -d expire_month=12 -d expire_year=2031 -d cvv2=123 \
  -d control="$CONTROL"
