URL=${TENDER_URL:-http://localhost:8080/paynet}
PRIVATE_KEY=${TENDER_PRIVATE_KEY:-data/demo-private-key.pem}
ORDER=curl-$(date +%s)-$$
quote() { printf '%s' "$1" | perl -pe 's/([^A-Za-z0-9._~-])/sprintf("%%%02X", ord $1)/ge'; }

# Sends a body whose parameters are sorted and encoded, signed with the merchant's private key.
signed() {
  OAUTH="oauth_consumer_key=demo&oauth_nonce=$(openssl rand -hex 16)&oauth_signature_method=RSA-SHA256"
  OAUTH="$OAUTH&oauth_timestamp=$(date +%s)&oauth_version=1.0"
  SORTED=$(printf '%s' "$2&$OAUTH" | tr '&' '\n' | LC_ALL=C sort | paste -sd '&')
  BASE="POST&$(quote "$URL/api/v4/$1/101")&$(quote "$SORTED")"
  SIGNATURE=$(printf '%s' "$BASE" | openssl dgst -sha256 -sign "$PRIVATE_KEY" | base64 -w 0)
  HEADER="OAuth $(printf '%s' "$OAUTH" | sed 's/=/="/g;s/&/", /g')\", oauth_signature=\"$(quote "$SIGNATURE")\""
  curl -s "$URL/api/v4/$1/101" -H 'Accept: application/vnd.pay+json' -H "Authorization: $HEADER" -d "$2"
}

CARD='credit_card_number=4444555566661111&card_printed_name=ANN%20EXAMPLE&expire_month=12&expire_year=2031&cvv2=123'
MADE=$(signed create-recurring-payment "client_orderid=$ORDER&rp_card_type=SRC&amount=9.99&currency=USD&$CARD")
ID=$(printf '%s' "$MADE" | sed 's/.*"recurring-payment-id":"\([0-9]*\)".*/\1/')

# Charge it now; with interval_unit and interval the gateway does so by itself.
signed process-recurring-payment "client_orderid=$ORDER-1&recurring_payment_id=$ID"
