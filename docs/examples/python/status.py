import sys

from tender import LOGIN, control, post

order = sys.argv[1]
answer = post("/api/v2/status", {"login": LOGIN, "client_orderid": order, "control": control(LOGIN, order)})
print(answer["status"])  # approved, declined, processing …
