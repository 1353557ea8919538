import { countOf, listOf, recordOf, textOf } from "./loose-value.js";

/**
 * What a tool answered, as the text that the agent read or close to it. Of an edit nothing: its answer repeats the file.
 * Never throws.
 */
export function answerText(answer: unknown): string {
  if (typeof answer === "string") return answer;
  if (answer === undefined || answer === null) return "";
  if (answer instanceof Error) return `${answer.name}: ${answer.message}`;
  if (Array.isArray(answer)) return blocksText(answer) ?? asJson(answer);
  return fieldsText(recordOf(answer)) ?? asJson(answer);
}

/** Whether the answer itself says that it did not work. Its words are not looked at, but for Claude Code's exit code. */
export function answerFailed(answer: unknown): boolean {
  if (typeof answer === "string") return /^(?:Error: )?Exit code [1-9]/u.test(answer);
  if (answer instanceof Error) return true;
  const fields = recordOf(answer);
  return (
    fields["isError"] === true ||
    fields["is_error"] === true ||
    fields["success"] === false ||
    fields["interrupted"] === true ||
    fields["status"] === "error" ||
    fields["type"] === "error-text" ||
    fields["type"] === "error-json" ||
    textOf(fields["error"]) !== undefined ||
    exitCodes.some((name) => typeof fields[name] === "number" && fields[name] !== 0) ||
    // What was fetched: {code: 404, codeText: "Not Found"}.
    (typeof fields["codeText"] === "string" && (countOf(fields["code"]) ?? 0) >= 400)
  );
}

const exitCodes = ["exitCode", "exit_code", "returnCode", "returncode", "exit"];

/** Content in blocks, as models have it: texts one below the other, of a picture that there was one. */
function blocksText(blocks: readonly unknown[]): string | undefined {
  const texts = blocks.flatMap((block) => {
    if (typeof block === "string") return [block];
    const { type, text } = recordOf(block);
    if (typeof text === "string") return [text];
    return type === "image" || type === "media" ? ["[image]"] : [];
  });
  return texts.length > 0 || blocks.length === 0 ? texts.join("\n") : undefined;
}

function fieldsText(fields: Record<string, unknown>): string | undefined {
  const { stdout, stderr } = fields;
  if (typeof stdout === "string" || typeof stderr === "string") return join([stdout, stderr]);
  if ("structuredPatch" in fields || "oldString" in fields || "newTodos" in fields)
    return textOf(fields["error"]) ?? "";
  const file = recordOf(fields["file"]);
  if (typeof file["content"] === "string") return file["content"];
  const content = fields["content"];
  if (typeof content === "string" && content !== "") return content;
  if (Array.isArray(content)) return blocksText(content);
  if (Array.isArray(fields["filenames"])) return join(listOf(fields["filenames"]));
  for (const name of plainNames) if (typeof fields[name] === "string") return fields[name];
  return undefined;
}

const plainNames = ["output", "result", "text", "value", "error", "message", "content"];

function join(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n");
}

// What has no text of its own is told apart by its beginning.
const maxJson = 65_536;

function asJson(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? "").slice(0, maxJson);
  } catch {
    // A circle, a BigInt, or deeper than the stack.
    return "";
  }
}
