import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server of a model that answers each request so; its address. Gone when the test ends. */
export async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(response));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Sends blanks as fast as they are taken, until nobody takes them. */
export function endless(response: ServerResponse): void {
  const some = Buffer.alloc(65_536, " ");
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(some)) {
      // As fast as it is taken.
    }
  };
  response.on("drain", more);
  more();
}

/** What a model says, as OpenAI's protocol has it. */
export function completion(content: string): string {
  return JSON.stringify({
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "test",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  });
}
