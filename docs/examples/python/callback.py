# A shop's callback address: checks what comes and answers 200, also when it comes again.
import hmac
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from tender import control


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        told = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        expected = control(told.get("status", ""), told.get("orderid", ""), told.get("client_orderid", ""))
        is_genuine = hmac.compare_digest(expected, told.get("control", ""))
        if is_genuine:
            # Compare amount and currency with your order's before you deliver anything.
            print(told["client_orderid"], told["status"], flush=True)
        self.send_response(200 if is_genuine else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Callback).serve_forever()
