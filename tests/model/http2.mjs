// http2.mjs -- answers every request with the bytes of a file, over HTTP/2 and TLS.
//
// usage: node http2.mjs CERTIFICATE KEY FILE. Prints its port, then the version of each request.
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";

const [cert, key, file] = process.argv.slice(2);
const server = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key), allowHTTP1: true });
server.on("request", (request, response) => {
  request.resume();
  request.on("end", () => {
    console.log(request.httpVersion);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(readFileSync(file));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
