from tender import CARD, new_order, post_oauth, wait_for_end

order = new_order()
answer = post_oauth("/api/v2/payout", {
    "client_orderid": order,
    "order_desc": "A prize",
    "amount": "5.00",
    "currency": "USD",
    "credit_card_number": CARD["credit_card_number"],
})
print(answer["type"])  # async-response
print(wait_for_end(order)["status"])  # approved, if the balance covers it
