require_relative "tender"

key = File.read(ENV.fetch("TENDER_PRIVATE_KEY", "data/demo-private-key.pem"))
made = post_oauth("/api/v4/create-recurring-payment", {
  "client_orderid" => new_order,
  "rp_card_type" => "SRC",
  "amount" => "9.99",
  "currency" => "USD",
  **CARD
}, method: "RSA-SHA256", private_key: key)

# Charge it now; with interval_unit and interval the gateway does so by itself.
order = new_order
post_oauth("/api/v4/process-recurring-payment", {
  "client_orderid" => order,
  "recurring_payment_id" => made["recurring-payment-id"]
}, method: "RSA-SHA256", private_key: key)
puts wait_for_end(order)["status"] # approved
