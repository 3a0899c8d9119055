require_relative "tender"

order, orderid = ARGV
post("/api/v2/return", {
  "login" => LOGIN,
  "client_orderid" => order,
  "orderid" => orderid,
  "amount" => "4.00",
  "currency" => "USD",
  "comment" => "One ticket back",
  "control" => control(LOGIN, order, orderid, "400", "USD")
}, { "Idempotency-Key" => "#{order}-return-1" })
returned = wait_for_end(order)
puts "#{returned["transaction-type"]} #{returned["status"]}" # reversal approved
