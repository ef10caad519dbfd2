"""A backend in Python's standard library that pays through the service. With NAIVE=1 it makes the mistakes that most first versions make."""
import base64, hashlib, json, os, random, sys, threading, time, urllib.error, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API, LOGIN, NAIVE = os.environ["API"], os.environ["LOGIN"], os.environ.get("NAIVE") == "1"
AUTH = "Basic " + base64.b64encode(LOGIN.encode()).decode()
lock = threading.Lock()
payments, by_transaction, events = {}, {}, set()

# ECDSA over P-256: the standard library has none.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    slope = (3 * a[0] ** 2 - 3) * pow(2 * a[1], -1, P) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(k, point):
    result = None
    while k:
        if k & 1:
            result = add(result, point)
        point, k = add(point, point), k >> 1
    return result


def is_signed(header, raw):
    try:
        der = base64.b64decode(json.loads(header)["s"])
        length = der[3]
        r = int.from_bytes(der[4:4 + length], "big")
        s = int.from_bytes(der[6 + length:], "big")
        w = pow(s, -1, N)
        digest = int.from_bytes(hashlib.sha256(raw).digest(), "big")
        point = add(times(digest * w % N, G), times(r * w % N, KEY))
        return point is not None and point[0] % N == r
    except Exception:
        return False


def call(method, path, body=None, key=None):
    headers = {"authorization": AUTH, "content-type": "application/json"}
    if key:
        headers["idempotency-key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=2) as reply:
            return reply.status, json.load(reply), {}
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}"), error.headers
    except Exception:
        return 0, {}, {}


def surely(path, body, key):
    """Tries until the outcome is known."""
    for tried in range(6):
        status, reply, headers = call("POST", path, body, str(uuid.uuid4()) if NAIVE else key)
        if status != 0 and status != 429 and status < 500:
            return status, reply
        time.sleep(max(float(headers.get("retry-after") or 0), 0.2 * 2**tried * (1 + random.random() / 4)))
    return 0, {}


def pay(payment):
    order = {"source": {"sourceType": "ACCOUNT", "accountId": FROM},
             "destination": {"destinationType": "ACCOUNT", "accountId": TO},
             "lockedCurrencySide": "SENDING", "lockedCurrencyAmount": 1000}
    status, quote = surely("/quotes", order, payment["key"] + "q")
    if status != 201:
        payment["state"] = "FAILED"
        return
    by_transaction[quote["transactionId"]] = payment
    status, reply = surely("/quotes/" + quote["id"] + "/execute", {}, payment["key"] + "x")
    if NAIVE:
        payment["state"] = "COMPLETED" if status == 200 else "FAILED"
    elif status != 200:
        learn(call("GET", "/transactions/" + quote["transactionId"])[1])


RANK = {"PENDING": 1, "PROCESSING": 2, "COMPLETED": 3, "FAILED": 4, "EXPIRED": 4}


def learn(transaction):
    payment = by_transaction.get(transaction.get("id"))
    if payment and RANK.get(transaction["status"], 0) >= RANK.get(payment["state"], 0):
        payment["state"] = transaction["status"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path == "/hooks":
            if not NAIVE and not is_signed(self.headers.get("x-service-signature") or "", raw):
                return self.answer(401, {})
            event = json.loads(raw)
            with lock:
                if event["id"] not in events and event["type"].startswith("OUTGOING_PAYMENT"):
                    learn(event["data"])
                events.add(event["id"])
            return self.answer(200, {})
        reference = json.loads(raw)["reference"]
        with lock:
            if reference in payments:
                return self.answer(200, {})
            payments[reference] = payment = {"key": str(uuid.uuid4()), "state": "PENDING"}
        threading.Thread(target=pay, args=(payment,), daemon=True).start()
        return self.answer(202, {})

    def do_GET(self):
        payment = payments.get(self.path.rsplit("/", 1)[1])
        return self.answer(200 if payment else 404, payment and {"state": payment["state"]})

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
jwk = json.load(urllib.request.urlopen(API.rsplit("/", 1)[0] + "/_emulator/webhooks/key"))["jwk"]
KEY = tuple(int.from_bytes(base64.urlsafe_b64decode(jwk[part] + "="), "big") for part in "xy")
customer = call("POST", "/customers", {"customerType": "INDIVIDUAL", "fullName": "Ada Keller"})[1]
FROM = call("GET", "/customers/internal-accounts?customerId=" + customer["id"] + "&currency=USD")[1]["data"][0]["id"]
call("POST", "/sandbox/internal-accounts/" + FROM + "/fund", {"amount": 1000000})
info = {"accountType": "EUR_ACCOUNT", "iban": "DE89370400440532013000", "swiftCode": "DEUTDEFF",
        "beneficiary": {"beneficiaryType": "INDIVIDUAL", "fullName": "Bo Berg", "countryOfResidence": "DE"}}
TO = call("POST", "/customers/external-accounts",
          {"customerId": customer["id"], "currency": "EUR", "accountInfo": info})[1]["id"]
print(server.server_port, flush=True)
server.serve_forever()
