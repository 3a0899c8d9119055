URL=${TENDER_URL:-http://localhost:8080/paynet}
KEY=${TENDER_KEY:-9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638}
ORDER=curl-$(date +%s)-$$
# Percent-encodes everything but letters, digits and - . _ ~
quote() { printf '%s' "$1" | perl -pe 's/([^A-Za-z0-9._~-])/sprintf("%%%02X", ord $1)/ge'; }

# 1. The parameters of the body and of the header, sorted by name, each encoded
NOW=$(date +%s)
NONCE=$(openssl rand -hex 16)
BODY="amount=5.00&client_orderid=$ORDER&credit_card_number=4444555566661111&currency=USD"
OAUTH="oauth_consumer_key=demo&oauth_nonce=$NONCE&oauth_signature_method=HMAC-SHA1"
OAUTH="$OAUTH&oauth_timestamp=$NOW&oauth_version=1.0"

# 2. The base string: method, address, parameters, each encoded once more
BASE="POST&$(quote "$URL/api/v2/payout/101")&$(quote "$BODY&$OAUTH")"

# 3. HMAC-SHA1 under the control key, "&" and no token secret
SIGNATURE=$(printf '%s' "$BASE" | openssl dgst -sha1 -hmac "$KEY&" -binary | base64)

curl -s "$URL/api/v2/payout/101" -H 'Accept: application/vnd.pay+json' -d "$BODY" \
  -H "Authorization: OAuth oauth_consumer_key=\"demo\", oauth_nonce=\"$NONCE\", \
oauth_signature_method=\"HMAC-SHA1\", oauth_timestamp=\"$NOW\", oauth_version=\"1.0\", \
oauth_signature=\"$(quote "$SIGNATURE")\""
