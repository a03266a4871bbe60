"""standin -- a stand-in for the model providers: the three wire formats over real sockets.

A test registers a case, which is a list of answers; clients reach it under http://HOST:PORT/CASE. Each
request of the case takes the next answer. An answer is a Reply (rendered in the format that the path of
the request asks for, streamed or whole), or a function that writes what it likes to the connection. Every
request is checked as the vendors check theirs, and recorded.
"""
import json
import os
import socket
import ssl
import threading


class Call:
    """A tool call of a reply; args is JSON text as the model writes it."""

    def __init__(self, id, name, args):
        self.id, self.name, self.args = id, name, args


class Reply:
    """One answer of the model, whatever the format."""

    def __init__(self, text="", thinking="", calls=(), stop=None, usage=(11, 7), cached=0, chunk=7):
        self.text, self.thinking, self.calls = text, thinking, list(calls)
        self.stop = stop or ("tools" if self.calls else "end")
        self.usage, self.cached, self.chunk = usage, cached, chunk

    def pieces(self, text):
        return [text[i:i + self.chunk] for i in range(0, len(text), self.chunk)]


def sse(data, name=None):
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    body = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return f"{head}data: {body}\n\n".encode()


# ---- Anthropic messages --------------------------------------------------------------------------

A_STOP = {"end": "end_turn", "tools": "tool_use", "length": "max_tokens", "refused": "refusal"}


def anthropic_content(r):
    out = []
    if r.thinking:
        out.append({"type": "thinking", "thinking": r.thinking, "signature": "sig-" + r.thinking[:4]})
    if r.text:
        out.append({"type": "text", "text": r.text})
    for c in r.calls:
        try:
            value = json.loads(c.args or "{}")
        except ValueError:
            value = {}
        out.append({"type": "tool_use", "id": c.id, "name": c.name, "input": value})
    return out


def anthropic_whole(r, body):
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"],
            "content": anthropic_content(r), "stop_reason": A_STOP[r.stop], "stop_sequence": None,
            "usage": {"input_tokens": r.usage[0], "output_tokens": r.usage[1],
                      "cache_read_input_tokens": r.cached, "cache_creation_input_tokens": 0}}


def anthropic_stream(r, body):
    def event(kind, **more):
        return sse({"type": kind, **more}, kind)

    start = anthropic_whole(r, body)
    start.update(content=[], stop_reason=None)
    start["usage"] = {**start["usage"], "output_tokens": 1}
    yield event("message_start", message=start)
    yield event("ping")
    index = 0
    for block in anthropic_content(r):
        kind = block["type"]
        empty = {"text": {"type": "text", "text": ""},
                 "thinking": {"type": "thinking", "thinking": "", "signature": ""},
                 "tool_use": {**block, "input": {}}}[kind]
        yield event("content_block_start", index=index, content_block=empty)
        if kind == "text":
            deltas = [{"type": "text_delta", "text": p} for p in r.pieces(block["text"])]
        elif kind == "thinking":
            deltas = [{"type": "thinking_delta", "thinking": p} for p in r.pieces(block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        else:
            args = next(c.args for c in r.calls if c.id == block["id"])
            deltas = [{"type": "input_json_delta", "partial_json": p} for p in [""] + r.pieces(args)]
        for d in deltas:
            yield event("content_block_delta", index=index, delta=d)
        yield event("content_block_stop", index=index)
        index += 1
    yield event("message_delta", delta={"stop_reason": A_STOP[r.stop], "stop_sequence": None},
                usage={"output_tokens": r.usage[1]})
    yield event("message_stop")


def anthropic_check(body):
    """What the API refuses; None when it would not."""
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        return "max_tokens: Field required"
    thinking = body.get("thinking", {})
    if thinking.get("type") == "enabled":
        if not 1024 <= thinking.get("budget_tokens", 0) < body["max_tokens"]:
            return "thinking.enabled.budget_tokens: must be at least 1024 and less than max_tokens"
        if body.get("tool_choice", {}).get("type") in ("tool", "any"):
            return "Thinking may not be enabled when tool_choice forces tool use"
    marks = json.dumps(body).count('"cache_control"')
    if marks > 4:
        return f"A maximum of 4 blocks with cache_control may be provided. Found {marks}."
    open_calls, last = [], None
    for i, m in enumerate(body["messages"]):
        if m["role"] not in ("user", "assistant") or (i == 0 and m["role"] != "user"):
            return f"messages.{i}.role: unexpected"
        blocks = m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"]}]
        if not blocks:
            return f"messages.{i}.content: empty"
        for b in blocks:
            if b["type"] == "text" and not b["text"].strip():
                return f"messages.{i}: text content blocks must contain non-whitespace text"
            if b["type"] == "tool_use" and not isinstance(b["input"], dict):
                return f"messages.{i}: tool_use.input: Input should be a valid dictionary"
            if b["type"] == "thinking" and not b.get("signature"):
                return f"messages.{i}: thinking.signature: Field required"
        results = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        if open_calls and sorted(results) != sorted(open_calls):
            return f"messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after"
        if not open_calls and results:
            return f"messages.{i}: unexpected `tool_use_id` found in `tool_result` blocks"
        open_calls = [b["id"] for b in blocks if b["type"] == "tool_use"]
        last = m["role"]
    return "the conversation must end with a user message" if last != "user" or open_calls else None


# ---- OpenAI chat completions ---------------------------------------------------------------------

C_STOP = {"end": "stop", "tools": "tool_calls", "length": "length", "refused": "content_filter"}


def chat_usage(r):
    return {"prompt_tokens": r.usage[0] + r.cached, "completion_tokens": r.usage[1],
            "total_tokens": sum(r.usage) + r.cached, "prompt_tokens_details": {"cached_tokens": r.cached}}


def chat_calls(r):
    return [{"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.args}} for c in r.calls]


def chat_whole(r, body):
    message = {"role": "assistant", "content": r.text or None, "refusal": None}
    if r.thinking:
        message["reasoning_content"] = r.thinking
    if r.calls:
        message["tool_calls"] = chat_calls(r)
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": C_STOP[r.stop], "logprobs": None}],
            "usage": chat_usage(r)}


def chat_stream(r, body):
    def chunk(delta, finish=None, **more):
        return sse({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"],
                    "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more})

    yield chunk({"role": "assistant", "content": ""})
    for p in r.pieces(r.thinking):
        yield chunk({"reasoning_content": p})
    for p in r.pieces(r.text):
        yield chunk({"content": p})
    for i, c in enumerate(r.calls):
        yield chunk({"tool_calls": [{"index": i, "id": c.id, "type": "function",
                                     "function": {"name": c.name, "arguments": ""}}]})
        for p in r.pieces(c.args):
            yield chunk({"tool_calls": [{"index": i, "function": {"arguments": p}}]})
    yield chunk({}, C_STOP[r.stop])
    if body.get("stream_options", {}).get("include_usage"):
        yield sse({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"],
                   "choices": [], "usage": chat_usage(r)})
    yield sse("[DONE]")


def chat_check(body):
    open_calls = set()
    for i, m in enumerate(body["messages"]):
        if m["role"] not in ("system", "developer", "user", "assistant", "tool"):
            return f"messages[{i}].role: unexpected"
        if m["role"] == "tool":
            if m["tool_call_id"] not in open_calls:
                return f"messages[{i}]: no tool call with that id before it"
            open_calls.discard(m["tool_call_id"])
            continue
        if open_calls:
            return "an assistant message with 'tool_calls' must be followed by tool messages for each id"
        for c in m.get("tool_calls", []):
            if not isinstance(c["function"]["arguments"], str):
                return f"messages[{i}].tool_calls.function.arguments: expected a string"
            open_calls.add(c["id"])
        if m["role"] == "assistant" and m.get("content") is None and not m.get("tool_calls"):
            return f"messages[{i}]: content is required"
    return "tool calls without results" if open_calls else None


# ---- OpenAI responses ----------------------------------------------------------------------------


def responses_output(r):
    out = []
    if r.thinking:
        out.append({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": r.thinking}],
                    "encrypted_content": "enc-" + r.thinking[:4]})
    if r.text:
        out.append({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": r.text, "annotations": []}]})
    for i, c in enumerate(r.calls):
        out.append({"type": "function_call", "id": f"fc_{i}", "call_id": c.id, "name": c.name,
                    "arguments": c.args, "status": "completed"})
    return out


def responses_whole(r, body):
    cut = {"length": "max_output_tokens", "refused": "content_filter"}.get(r.stop)
    return {"id": "resp_1", "object": "response", "created_at": 1, "model": body["model"],
            "status": "incomplete" if cut else "completed", "error": None,
            "incomplete_details": {"reason": cut} if cut else None, "output": responses_output(r),
            "parallel_tool_calls": True, "tool_choice": "auto", "tools": body.get("tools", []),
            "usage": {"input_tokens": r.usage[0] + r.cached, "output_tokens": r.usage[1],
                      "input_tokens_details": {"cached_tokens": r.cached},
                      "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": sum(r.usage) + r.cached}}


def responses_stream(r, body):
    number = -1

    def event(kind, **more):
        nonlocal number
        number += 1
        return sse({"type": kind, "sequence_number": number, **more}, kind)

    whole = responses_whole(r, body)
    yield event("response.created", response={**whole, "status": "in_progress", "output": [], "usage": None})
    for i, item in enumerate(whole["output"]):
        at = {"output_index": i, "item_id": item["id"]}
        if item["type"] == "reasoning":
            yield event("response.output_item.added", output_index=i,
                        item={"type": "reasoning", "id": item["id"], "summary": []})
            yield event("response.reasoning_summary_part.added", summary_index=0,
                        part={"type": "summary_text", "text": ""}, **at)
            for p in r.pieces(r.thinking):
                yield event("response.reasoning_summary_text.delta", summary_index=0, delta=p, **at)
            yield event("response.reasoning_summary_text.done", summary_index=0, text=r.thinking, **at)
            yield event("response.reasoning_summary_part.done", summary_index=0, part=item["summary"][0], **at)
        elif item["type"] == "message":
            yield event("response.output_item.added", output_index=i,
                        item={**item, "content": [], "status": "in_progress"})
            yield event("response.content_part.added", content_index=0,
                        part={"type": "output_text", "text": "", "annotations": []}, **at)
            for p in r.pieces(r.text):
                yield event("response.output_text.delta", content_index=0, delta=p, **at)
            yield event("response.output_text.done", content_index=0, text=r.text, **at)
            yield event("response.content_part.done", content_index=0, part=item["content"][0], **at)
        else:
            yield event("response.output_item.added", output_index=i, item={**item, "arguments": "",
                                                                            "status": "in_progress"})
            for p in r.pieces(item["arguments"]):
                yield event("response.function_call_arguments.delta", delta=p, **at)
            yield event("response.function_call_arguments.done", arguments=item["arguments"], name=item["name"], **at)
        yield event("response.output_item.done", output_index=i, item=item)
    yield event("response.incomplete" if whole["incomplete_details"] else "response.completed", response=whole)


def responses_check(body):
    if body.get("store") is False and any(i.get("type") == "item_reference" for i in body["input"]):
        return "Items are not persisted when `store` is set to false."
    items = body["input"] if isinstance(body["input"], list) else []
    calls = {i["call_id"] for i in items if i.get("type") == "function_call"}
    results = {i["call_id"] for i in items if i.get("type") == "function_call_output"}
    if calls - results:
        return f"No tool output found for function call {sorted(calls - results)[0]}."
    if results - calls:
        return f"No tool call found for function call output with call_id {sorted(results - calls)[0]}."
    for i, item in enumerate(items):
        if item.get("type") == "reasoning" and (i + 1 == len(items) or items[i + 1].get("type") == "reasoning"):
            return "Item of type 'reasoning' was provided without its required following item."
    return None


FORMATS = {"/v1/messages": (anthropic_stream, anthropic_whole, anthropic_check),
           "/chat/completions": (chat_stream, chat_whole, chat_check),
           "/responses": (responses_stream, responses_whole, responses_check)}


# ---- the server ----------------------------------------------------------------------------------

class Request:
    """A request as it came. `wire` is its path behind the case."""

    def __init__(self, method, path, headers, body):
        self.method, self.headers, self.raw = method, headers, body
        _, self.case, rest = path.split("/", 2) if path.count("/") > 1 else ("", path[1:], "")
        self.wire = "/" + rest
        self.body = json.loads(body) if body else {}

    def stream(self, reply):
        """The whole body of a streamed answer."""
        return b"".join(FORMATS[self.wire][0](reply, self.body))


class Connection:
    """What an answer writes to."""

    def __init__(self, sock):
        self.sock, self.gone = sock, False

    def send(self, data):
        self.sock.sendall(data)

    def head(self, status=200, kind="text/event-stream", length=None, **headers):
        lines = [f"HTTP/1.1 {status} Status", f"Content-Type: {kind}"]
        lines.append("Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode())

    def chunk(self, data):
        """A piece of a chunked body; b"" ends it."""
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def json(self, status, value, **headers):
        body = json.dumps(value).encode()
        self.head(status, "application/json", len(body), **headers)
        self.send(body)

    def close(self, reset=False):
        """Ends the connection at once; with a reset as a crash does."""
        if reset:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.gone = True
        os.close(self.sock.detach())


def play(reply, request, conn):
    """A Reply, as the request wants it."""
    stream, whole, check = FORMATS[request.wire]
    wrong = check(request.body)
    if wrong:
        conn.json(400, {"type": "error", "error": {"type": "invalid_request_error", "message": wrong}})
        return
    if not request.body.get("stream"):
        conn.json(200, whole(reply, request.body))
        return
    conn.head()
    for event in stream(reply, request.body):
        conn.chunk(event)
    conn.chunk(b"")


class Server:
    """Listens on a port of its own. `certificate` is (cert.pem, key.pem) for TLS."""

    def __init__(self, certificate=None):
        self.answers, self.requests, self.lock = {}, {}, threading.Lock()
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certificate)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self, case):
        return f"{'https' if self.context else 'http'}://localhost:{self.port}/{case}"

    def case(self, name, *answers):
        """Registers the answers of a case; the last one is repeated. Its base URL."""
        with self.lock:
            self.answers[name], self.requests[name] = list(answers), []
        return self.url(name)

    def accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        try:
            if self.context:
                sock = self.context.wrap_socket(sock, server_side=True)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reader = sock.makefile("rb")
            while self.one(reader, Connection(sock)):
                pass
        except (OSError, ssl.SSLError, ValueError):
            pass  # the client went away, or the answer cut the line
        finally:
            sock.close()

    def one(self, reader, conn):
        """One request on a connection that is kept. False at its end."""
        line = reader.readline().decode()
        if not line:
            return False
        method, path, _ = line.split()
        headers = {}
        while (field := reader.readline().decode().strip()):
            name, _, value = field.partition(":")
            headers[name.lower()] = value.strip()
        request = Request(method, path, headers, reader.read(int(headers.get("content-length", 0))))
        with self.lock:
            answers = self.answers.get(request.case)
            if answers is None:
                conn.json(404, {"error": {"message": "no such case"}})
                return True
            self.requests[request.case].append(request)
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, Reply):
            play(answer, request, conn)
        else:
            answer(request, conn)
        return not conn.gone
