# All that a shop needs to speak to the gateway, with Ruby's own library alone.
require "json"
require "net/http"
require "openssl"
require "securerandom"
require "uri"

URL = ENV.fetch("TENDER_URL", "http://localhost:8080/paynet")
ENDPOINT = ENV.fetch("TENDER_ENDPOINT", "101")
LOGIN = ENV.fetch("TENDER_LOGIN", "demo")
KEY = ENV.fetch("TENDER_KEY", "9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638")
CARD = {
  "credit_card_number" => "4444555566661111",
  "card_printed_name" => "ANN EXAMPLE",
  "expire_month" => "12",
  "expire_year" => "2031",
  "cvv2" => "123"
}.freeze

# The control: SHA-1 of the values in the order the operation names, and the key.
def control(*values)
  OpenSSL::Digest::SHA1.hexdigest(values.join + KEY)
end

# Sends a form; gives the answer as a hash, whether it is good news or not.
def post(path, fields, headers = {})
  uri = URI("#{URL}#{path}/#{ENDPOINT}")
  answer = Net::HTTP.post(uri, URI.encode_www_form(fields), {
    "Accept" => "application/vnd.pay+json",
    "Content-Type" => "application/x-www-form-urlencoded"
  }.merge(headers))
  JSON.parse(answer.body)
end

def quote(text)
  text.b.gsub(/[^A-Za-z0-9\-._~]/n) { |byte| format("%%%02X", byte.ord) }
end

# Sends a form that is signed by its header: OAuth 1.0a, without a token.
def post_oauth(path, fields, method: "HMAC-SHA1", private_key: nil)
  oauth = {
    "oauth_consumer_key" => LOGIN,
    "oauth_nonce" => SecureRandom.hex,
    "oauth_signature_method" => method,
    "oauth_timestamp" => Time.now.to_i.to_s,
    "oauth_version" => "1.0"
  }
  pairs = fields.merge(oauth).map { |name, value| [quote(name), quote(value)] }.sort
  joined = pairs.map { |pair| pair.join("=") }.join("&")
  base = ["POST", quote("#{URL}#{path}/#{ENDPOINT}"), quote(joined)].join("&")
  signature =
    if method == "RSA-SHA256"
      OpenSSL::PKey.read(private_key).sign("SHA256", base)
    else
      OpenSSL::HMAC.digest("SHA1", "#{quote(KEY)}&", base)
    end
  oauth["oauth_signature"] = [signature].pack("m0")
  header = oauth.map { |name, value| %(#{name}="#{quote(value)}") }.join(", ")
  post(path, fields, "Authorization" => "OAuth #{header}")
end

# Asks until the order is decided.
def wait_for_end(order)
  loop do
    told = post("/api/v2/status", "login" => LOGIN, "client_orderid" => order, "control" => control(LOGIN, order))
    return told if %w[approved declined filtered error].include?(told["status"])
    raise told["error-message"] if told["type"] == "validation-error"

    sleep 0.2
  end
end

def new_order
  "ruby-#{SecureRandom.hex(6)}"
end
