"""Serves the imaginary cloud of examples/provider-minimal, with one machine: machines.py PORT."""

import http.server
import json
import sys

held = []


class Machines(http.server.BaseHTTPRequestHandler):
    def answer(self, body):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def do_GET(self):
        machine = {"id": "m-1", "network": "net-1", "addresses": held, "limit": 20}
        self.answer({"networks": [{"id": "net-1", "free": 100}], "machines": [machine]})

    def do_POST(self):
        count = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["count"]
        new = [f"10.9.0.{len(held) + each + 1}" for each in range(count)]
        held.extend(new)
        self.answer({"addresses": new})


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Machines).serve_forever()
