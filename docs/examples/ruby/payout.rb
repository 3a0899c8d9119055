require_relative "tender"

order = new_order
answer = post_oauth("/api/v2/payout", {
  "client_orderid" => order,
  "order_desc" => "A prize",
  "amount" => "5.00",
  "currency" => "USD",
  "credit_card_number" => CARD["credit_card_number"]
})
puts answer["type"] # async-response
puts wait_for_end(order)["status"] # approved, if the balance covers it
