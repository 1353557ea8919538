import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { LineTransport } from "./line-transport.js";

it("takes messages out of lines, however they arrive, and leaves out what is none", async () => {
  const { input, heard, errors } = await started();
  const question = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"ü"}}\r\n');
  const half = question.indexOf(0xbc);

  input.write(question.subarray(0, half));
  input.write(question.subarray(half));
  input.write('\nnot json\n{"jsonrpc":"1.0"}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await settled();

  expect(heard).toMatchObject([{ id: 1, method: "ping", params: { a: "ü" } }, { method: "notifications/initialized" }]);
  expect(errors).toHaveLength(2);
});

it.each([
  ["begins with its id", '{"jsonrpc":"2.0","id":"a\\"1","method":"ping","params":{"a":"', '","id":7}}', 'a"1'],
  ["ends with its id", '{"method":"ping","params":{"id":7,"a":"', '","b":{"id":8}},"jsonrpc":"2.0","id":1}\r', 1],
  ["has none", '{"method":"ping","params":{"id":7,"a":"', '","b":{"id":8}},"jsonrpc":"2.0"}', undefined],
])("leaves out a line that is too long, answers it where it %s, and takes the next", async (_, begin, end, id) => {
  const { input, output, heard, errors } = await started();

  input.write(begin);
  for (let mebibytes = 0; mebibytes < 17; mebibytes++) input.write("x".repeat(1024 * 1024));
  input.write(`${end}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n`);
  await settled();

  expect(heard).toMatchObject([{ id: 2 }]);
  expect(errors).toEqual([expect.stringContaining("left out")]);
  const answer = JSON.parse(String(output.read() ?? "{}")) as { id?: unknown; error?: { code: number } };
  expect([answer.id, answer.error?.code]).toEqual(id === undefined ? [undefined, undefined] : [id, -32_600]);
});

it("ends when the input has ended and everything was answered", async () => {
  const { input, output, transport } = await started();
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await settled();
  let isOver = false;
  const ended = transport.ended().then(() => (isOver = true));

  input.end();
  await settled();
  const before = isOver;
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await ended;

  expect(before).toBe(false);
  expect(String(output.read())).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
});

it("does not wait for an answer for ever, nor for one that the client has cancelled", async () => {
  const unanswered = await started({ patienceMs: 20 });
  unanswered.input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  const cancelled = await started({ patienceMs: 60_000 });
  cancelled.input.end(
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n',
  );

  await expect(Promise.all([unanswered.transport.ended(), cancelled.transport.ended()])).resolves.toBeDefined();
});

it("ends when it is told to", async () => {
  const stopping = new AbortController();
  const { transport } = await started();
  const ended = transport.ended(stopping.signal);

  stopping.abort();

  await expect(ended).resolves.toBeUndefined();
  await expect(transport.ended(AbortSignal.abort())).resolves.toBeUndefined();
});

async function started({ patienceMs = 1000 } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport({ patienceMs, input, output });
  const heard: JSONRPCMessage[] = [];
  const errors: string[] = [];
  Object.assign(transport, {
    onmessage: (message: JSONRPCMessage) => void heard.push(message),
    onerror: ({ message }: Error) => void errors.push(message),
  });
  await transport.start();
  return { transport, input, output, heard, errors };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
}
