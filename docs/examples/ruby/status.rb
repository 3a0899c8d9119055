require_relative "tender"

order = ARGV.fetch(0)
answer = post("/api/v2/status", "login" => LOGIN, "client_orderid" => order, "control" => control(LOGIN, order))
puts answer["status"] # approved, declined, processing …
