"""A pool member: GET / names the member and the client it saw, /health is quick, /slow?seconds=N is not."""

import json
import socket
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PORT = 8080
SLOW_SECONDS_MAX = 3600.0
NAME = socket.gethostname()


class Handler(BaseHTTPRequestHandler):
    """Answers one request per connection (HTTP/1.0), so that each connection shows one decision of the table."""

    timeout = 60

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/":
            self.answer(200, {"member": NAME, "client": "%s:%d" % self.client_address[:2]})
        elif url.path == "/health":
            self.answer(200, {"member": NAME, "health": "up"})
        elif url.path == "/slow":
            self.slow(parse_qs(url.query).get("seconds", ["1"])[-1])
        else:
            self.answer(404, {"error": "no such path: " + url.path + "; use /, /health or /slow?seconds=N"})

    def slow(self, text):
        """Answers after `text` seconds, 0 to SLOW_SECONDS_MAX."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= SLOW_SECONDS_MAX:
            self.answer(400, {"error": "seconds is %r, must be 0 to %d" % (text, SLOW_SECONDS_MAX)})
            return
        time.sleep(seconds)
        self.answer(200, {"member": NAME, "client": "%s:%d" % self.client_address[:2], "seconds": seconds})

    def answer(self, status, body):
        data = json.dumps(body).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Requests are not logged: probes alone would fill the log."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


if __name__ == "__main__":
    Server(("0.0.0.0", PORT), Handler).serve_forever()
