import sys

from tender import LOGIN, control, post, wait_for_end

order, orderid = sys.argv[1:]
post("/api/v2/return", {
    "login": LOGIN,
    "client_orderid": order,
    "orderid": orderid,
    "amount": "4.00",
    "currency": "USD",
    "comment": "One ticket back",
    "control": control(LOGIN, order, orderid, "400", "USD"),
}, {"Idempotency-Key": f"{order}-return-1"})
returned = wait_for_end(order)
print(returned["transaction-type"], returned["status"])  # reversal approved
