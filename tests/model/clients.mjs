// clients.mjs -- drives the stand-in server with the vendors' own clients.
//
// usage: node clients.mjs BASE_URL < CASES. Each line of CASES is {"api":..,"stream":..,"case":..}; each
// line of output is what the client understood: the texts, the thinking, the calls, the stop reason and
// the usage of both turns. The second turn sends back what the client made of the first one.
import { createInterface } from "node:readline";
import Anthropic from "@anthropic-ai/sdk";
import AnthropicLatest from "anthropic-latest";
import OpenAI from "openai";

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const question = "What is in a.txt and b.txt?";
const system = "You are a test.";
const contents = { "a.txt": "alpha", "b.txt": "beta" };
const answer = (args) => contents[JSON.parse(args).path] ?? "?";

async function anthropic(url, stream, Client = Anthropic) {
  const client = new Client({ apiKey: "canary-vendor-key", baseURL: url, maxRetries: 0 });
  const tools = [{ name: "read", description: "Read a file", input_schema: schema }];
  const messages = [{ role: "user", content: [{ type: "text", text: question }] }];
  const turns = [];
  for (let turn = 0; turn < 2; turn++) {
    const body = {
      model: "claude-sonnet-4-5", max_tokens: 4096, system: [{ type: "text", text: system }], messages, tools,
      thinking: { type: "enabled", budget_tokens: 2048 },
    };
    const m = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
    const calls = m.content.filter((b) => b.type === "tool_use");
    turns.push({
      text: m.content.filter((b) => b.type === "text").map((b) => b.text).join(""),
      thinking: m.content.filter((b) => b.type === "thinking").map((b) => b.thinking).join(""),
      calls: calls.map((c) => [c.id, c.name, c.input]), stop: m.stop_reason,
      usage: [m.usage.input_tokens, m.usage.output_tokens],
    });
    messages.push({ role: "assistant", content: m.content });
    messages.push({
      role: "user",
      content: calls.map((c) => ({
        type: "tool_result", tool_use_id: c.id,
        content: [{ type: "text", text: answer(JSON.stringify(c.input)) }],
      })),
    });
  }
  return turns;
}

async function chat(url, stream) {
  const client = new OpenAI({ apiKey: "canary-vendor-key", baseURL: url, maxRetries: 0 });
  const tools = [{ type: "function", function: { name: "read", description: "Read a file", parameters: schema } }];
  const messages = [{ role: "system", content: system }, { role: "user", content: question }];
  const turns = [];
  for (let turn = 0; turn < 2; turn++) {
    const body = { model: "gpt-4o", messages, tools };
    const c = stream
      ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
      : await client.chat.completions.create(body);
    const m = c.choices[0].message;
    const calls = m.tool_calls ?? [];
    turns.push({
      text: m.content ?? "", thinking: "", stop: c.choices[0].finish_reason,
      calls: calls.map((x) => [x.id, x.function.name, JSON.parse(x.function.arguments)]),
      usage: [c.usage.prompt_tokens, c.usage.completion_tokens],
    });
    messages.push(m);
    for (const x of calls) messages.push({ role: "tool", tool_call_id: x.id, content: answer(x.function.arguments) });
  }
  return turns;
}

async function responses(url, stream) {
  const client = new OpenAI({ apiKey: "canary-vendor-key", baseURL: url, maxRetries: 0 });
  const tools = [{ type: "function", name: "read", description: "Read a file", parameters: schema, strict: false }];
  const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: question }] }];
  const turns = [];
  for (let turn = 0; turn < 2; turn++) {
    const body = {
      model: "gpt-5.5", instructions: system, input, tools, store: false,
      reasoning: { effort: "low", summary: "auto" }, include: ["reasoning.encrypted_content"],
    };
    const r = stream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
    const calls = r.output.filter((x) => x.type === "function_call");
    turns.push({
      text: r.output_text, stop: r.status,
      thinking: r.output.filter((x) => x.type === "reasoning").flatMap((x) => x.summary).map((s) => s.text).join(""),
      calls: calls.map((x) => [x.call_id, x.name, JSON.parse(x.arguments)]),
      usage: [r.usage.input_tokens, r.usage.output_tokens],
    });
    input.push(...r.output);
    for (const x of calls) input.push({ type: "function_call_output", call_id: x.call_id, output: answer(x.arguments) });
  }
  return turns;
}

const anthropicLatest = (url, stream) => anthropic(url, stream, AnthropicLatest);
const apis = { anthropic, "anthropic-latest": anthropicLatest, chat, responses };
for await (const line of createInterface({ input: process.stdin })) {
  const { api, stream, url } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ turns: await apis[api](url, stream) }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
