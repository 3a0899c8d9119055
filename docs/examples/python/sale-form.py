from tender import ENDPOINT, control, new_order, post

order = new_order()
answer = post("/api/v2/sale-form", {
    "client_orderid": order,
    "order_desc": "Two tickets",
    "amount": "10.42",
    "currency": "USD",
    "email": "ann@example.com",
    "redirect_url": "https://shop.example/paid",
    "server_callback_url": "https://shop.example/callback",
    "control": control(ENDPOINT, order, "1042", "ann@example.com"),
})
print(answer["redirect-url"])  # send the payer's browser there
