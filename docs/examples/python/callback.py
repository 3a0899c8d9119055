# A shop's callback address: checks what comes and answers 200, also when it comes again.
import base64
import hashlib
import hmac
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlsplit

from tender import KEY


def is_genuine(query, headers):
    """The header signs all parameters; the control alone can be forged."""
    seconds = headers.get("webhook-timestamp", "")
    if not (seconds.isdecimal() and abs(time.time() - int(seconds)) <= 300):
        return False
    signed = f"{headers.get('webhook-id', '')}.{seconds}.{query}".encode()
    expected = b"v1," + base64.b64encode(hmac.digest(KEY.encode(), signed, hashlib.sha256))
    return any(hmac.compare_digest(expected, sent.encode()) for sent in headers.get("webhook-signature", "").split())


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        query = urlsplit(self.path).query
        genuine = is_genuine(query, self.headers)
        if genuine:
            # Find your order by orderid, and deliver nothing when its amount or currency differs.
            told = dict(parse_qsl(query))
            print(told["client_orderid"], told["status"], flush=True)
        self.send_response(200 if genuine else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Callback).serve_forever()
