# All that a shop needs to speak to the gateway, with Python's own library alone.
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = os.environ.get("TENDER_URL", "http://localhost:8080/paynet")
ENDPOINT = os.environ.get("TENDER_ENDPOINT", "101")
LOGIN = os.environ.get("TENDER_LOGIN", "demo")
KEY = os.environ.get("TENDER_KEY", "9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638")
CARD = {
    "credit_card_number": "4444555566661111",
    "card_printed_name": "ANN EXAMPLE",
    "expire_month": "12",
    "expire_year": "2031",
    "cvv2": "123",
}


def control(*values):
    """The control: SHA-1 of the values in the order the operation names, and the key."""
    return hashlib.sha1(("".join(values) + KEY).encode()).hexdigest()


def post(path, fields, headers={}):
    """Sends a form; gives the answer as a dictionary, whether it is good news or not."""
    body = urllib.parse.urlencode(fields).encode()
    request = urllib.request.Request(f"{URL}{path}/{ENDPOINT}", body)
    for name, value in {"Accept": "application/vnd.pay+json", **headers}.items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


def post_oauth(path, fields, method="HMAC-SHA1", private_key=None):
    """Sends a form that is signed by its header: OAuth 1.0a, without a token."""
    quote = lambda text: urllib.parse.quote(text, safe="-._~")
    oauth = {
        "oauth_consumer_key": LOGIN,
        "oauth_nonce": uuid.uuid4().hex,
        "oauth_signature_method": method,
        "oauth_timestamp": str(int(time.time())),
        "oauth_version": "1.0",
    }
    pairs = sorted((quote(name), quote(value)) for name, value in {**fields, **oauth}.items())
    joined = "&".join(f"{name}={value}" for name, value in pairs)
    base = "&".join(["POST", quote(f"{URL}{path}/{ENDPOINT}"), quote(joined)]).encode()
    if method == "RSA-SHA256":
        signature = rsa_sha256(base, private_key)
    else:
        signature = hmac.new(f"{quote(KEY)}&".encode(), base, hashlib.sha1).digest()
    oauth["oauth_signature"] = base64.b64encode(signature).decode()
    header = ", ".join(f'{name}="{quote(value)}"' for name, value in oauth.items())
    return post(path, fields, {"Authorization": f"OAuth {header}"})


def rsa_sha256(text, private_key_file):
    """Python's library has no RSA; the program openssl has."""
    import subprocess

    command = ["openssl", "dgst", "-sha256", "-sign", private_key_file]
    return subprocess.run(command, input=text, capture_output=True, check=True).stdout


def wait_for_end(order):
    """Asks until the order is decided."""
    while True:
        signature = control(LOGIN, order)
        told = post("/api/v2/status", {"login": LOGIN, "client_orderid": order, "control": signature})
        if told.get("status") in ("approved", "declined", "filtered", "error"):
            return told
        if told["type"] == "validation-error":
            raise RuntimeError(told["error-message"])
        time.sleep(0.2)


def new_order():
    return f"python-{uuid.uuid4().hex[:12]}"
