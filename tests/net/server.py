"""server.py -- the web server of the network tests: every path answers in one way, the same each time."""
import gzip
import hashlib
import http.server
import re
import socketserver
import ssl
import threading
import time
import zlib
from urllib.parse import parse_qs, urlsplit

PAGE = "".join(f"line {n} of the page\n" for n in range(200)).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Test/1", ""

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return "Thu, 01 Jan 2026 00:00:00 GMT"

    def body(self):
        """What the client sent, chunked or not."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def reply(self, status, body=b"", headers=(), length=True):
        """A whole answer."""
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if length:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def echo(self, data):
        """The request as the server saw it, headers sorted by name."""
        kept = sorted((k.title(), v) for k, v in self.headers.items() if k != "Expect")
        text = f"{self.command} {self.path}\n" + "".join(f"{k}: {v}\n" for k, v in kept)
        self.reply(200, text.encode() + b"\n" + data, [("Content-Type", "text/plain")])

    def answer(self):
        """The one entry of all methods."""
        data = self.body()
        parts = urlsplit(self.path)
        query = {k: v[0] for k, v in parse_qs(parts.query).items()}
        self.server.seen.append((self.command, self.path, dict(self.headers.items()), data))
        words = parts.path.strip("/").split("/")
        special = getattr(self, "at_" + words[0].replace("-", "_"), None)
        if special:
            special(words[1:], query, data)
        else:
            self.reply(404, b"nothing here\n", [("Content-Type", "text/plain")])

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = do_OPTIONS = do_PURGE = answer

    def at_echo(self, _words, _query, data):
        self.echo(data)

    def at_tagged(self, _words, _query, _data):
        if self.headers.get("If-None-Match") == '"tag-1"':
            return self.reply(304, b"", [("ETag", '"tag-1"')])
        return self.reply(200, b"tagged\n", [("ETag", '"tag-1"')])

    def at_dated(self, _words, _query, _data):
        """Was changed on the second of January 2024; knows no conditions."""
        self.reply(200, b"dated\n", [("Last-Modified", "Tue, 02 Jan 2024 00:00:00 GMT")])

    def at_digest(self, words, _query, data):
        """Asks for a digest of user and pass, by the algorithm of the path, without qop for "old"."""
        kind = words[0] if words else "MD5"
        sums = {"SHA-256": hashlib.sha256}.get(kind.replace("-sess", ""), hashlib.md5)
        sent = dict(re.findall(r'(\w+)="?([^",]*)"?', self.headers.get("Authorization", "")[7:]))

        def digest(*parts):
            return sums(":".join(parts).encode()).hexdigest()
        good = False
        if sent.get("nonce") == "n0nce":
            one = digest("user", "a realm", "pass")
            if kind.endswith("-sess"):
                one = digest(one, "n0nce", sent["cnonce"])
            two = digest(self.command, sent["uri"])
            middle = [] if kind == "old" else [sent["nc"], sent["cnonce"], sent["qop"]]
            good = sent["uri"] == self.path and sent["response"] == digest(one, "n0nce", *middle, two)
        if good:
            return self.reply(200, b"welcome " + data + b"\n")
        ask = 'Digest realm="a realm", nonce="n0nce", opaque="0paque"'
        if kind != "old":
            ask += f', qop="auth", algorithm={kind}'
        return self.reply(401, b"who?\n" + data, [("WWW-Authenticate", ask)])

    def at_asks(self, _words, _query, _data):
        if self.headers.get("Authorization"):
            return self.echo(b"")
        return self.reply(401, b"who?\n", [("WWW-Authenticate", 'Basic realm="x"')])

    def at_page(self, _words, _query, _data):
        self.reply(200, PAGE, [("Content-Type", "text/plain"), ("Accept-Ranges", "bytes")])

    def at_part(self, _words, _query, _data):
        wanted = self.headers.get("Range")
        if not wanted:
            return self.at_page(_words, _query, _data)
        first, last = wanted.split("=")[1].split("-")
        first, last = int(first), int(last or len(PAGE) - 1)
        if first >= len(PAGE):
            return self.reply(416, b"", [("Content-Range", f"bytes */{len(PAGE)}")])
        return self.reply(206, PAGE[first:last + 1], [("Content-Range", f"bytes {first}-{last}/{len(PAGE)}")])

    def at_status(self, words, _query, _data):
        self.reply(int(words[0]), b"status " + words[0].encode() + b"\n", [("Content-Type", "text/plain")])

    def at_to(self, words, query, _data):
        """Redirects: /to/302?where."""
        self.reply(int(words[0]), b"go on\n", [("Location", query.get("u", "/echo"))])

    def at_hops(self, words, _query, _data):
        n = int(words[0])
        self.reply(302, b"", [("Location", f"/hops/{n - 1}" if n > 1 else "/echo")])

    def at_loop(self, _words, _query, _data):
        self.reply(302, b"", [("Location", "/loop")])

    def at_cookies(self, _words, _query, _data):
        self.reply(200, b"set\n", [("Set-Cookie", "one=1; Path=/"), ("Set-Cookie", "two=2; Path=/echo; HttpOnly"),
                                   ("Set-Cookie", "old=x; Max-Age=0"), ("Set-Cookie", "far=3; Path=/; Expires=Fri, 01 Jan 2038 00:00:00 GMT")])

    def at_login(self, _words, _query, _data):
        self.reply(302, b"", [("Location", "/echo"), ("Set-Cookie", "sid=42; Path=/")])

    def at_gzip(self, _words, _query, _data):
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            return self.reply(200, gzip.compress(PAGE, mtime=0), [("Content-Encoding", "gzip")])
        return self.reply(200, PAGE)

    def at_deflate(self, _words, _query, _data):
        self.reply(200, zlib.compress(PAGE), [("Content-Encoding", "deflate")])

    def at_named(self, _words, query, _data):
        self.reply(200, b"named\n", [("Content-Disposition", f'attachment; filename="{query.get("n", "given.txt")}"')])

    def at_slow(self, words, _query, _data):
        time.sleep(float(words[0]))
        self.reply(200, b"slow\n")

    def at_cut(self, _words, _query, _data):
        """Fewer bytes than were said."""
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"half")
        self.close_connection = True

    def at_none(self, _words, _query, _data):
        self.close_connection = True

    def at_chunks(self, _words, _query, _data):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for n in range(5):
            piece = f"piece {n}\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def at_big(self, words, _query, _data):
        self.send_response(200)
        n = int(words[0])
        self.send_header("Content-Length", str(n))
        self.end_headers()
        block = bytes(range(256)) * 256
        while n > 0:
            self.wfile.write(block[:n])
            n -= len(block)

    def at_flaky(self, words, _query, _data):
        """Fails so many times for this name, then answers."""
        left = self.server.flaky.setdefault(words[1], int(words[0]))
        self.server.flaky[words[1]] = left - 1
        self.reply(503 if left > 0 else 200, b"sorry\n" if left > 0 else b"at last\n")

    def at_html(self, _words, _query, _data):
        self.reply(200, b"<h1>Title</h1><p>Some <b>bold</b> text.", [("Content-Type", "text/html; charset=utf-8")])


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """On a free port of 127.0.0.1; over TLS when a certificate is given."""
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, certificate=None, key=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen, self.flaky = [], {}
        self.port = self.server_address[1]
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Clients hang up as they like."""
