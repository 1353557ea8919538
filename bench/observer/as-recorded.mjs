// What an agent's own record has besides what it did.

const bytesOfToken = 3.8;
const atTheStart = 14_000;
const window = 160_000;
const afterCompaction = 30_000;

/** The lines of a transcript with the tokens that each answer would have taken: all that was said and read before it. */
export function withUsage(lines) {
  const contexts = new Map();
  return lines.map((line) => {
    const entry = JSON.parse(line);
    const agent = entry.agentId ?? "";
    const before = contexts.get(agent) ?? { tokens: atTheStart, cached: 0 };
    const tokens = Math.round(JSON.stringify(entry.message.content).length / bytesOfToken);
    if (entry.type !== "assistant") {
      contexts.set(agent, { ...before, tokens: before.tokens + tokens });
      return line;
    }
    entry.message.usage = {
      input_tokens: 3,
      cache_creation_input_tokens: Math.max(0, before.tokens - before.cached),
      cache_read_input_tokens: Math.min(before.cached, before.tokens),
      output_tokens: tokens,
    };
    const after = before.tokens + tokens;
    contexts.set(agent, { tokens: after > window ? afterCompaction : after, cached: before.tokens });
    return JSON.stringify(entry);
  });
}

/** The same session as events of a program that plans its steps, which Claude Code does not tell. */
export function eventsOf(session, directory, { plannedSteps, by }) {
  const sessionId = session.id;
  const entries = session.lines().map((line) => JSON.parse(line));
  const [first, last] = [entries[0], entries.at(-1)].map(({ timestamp }) => Date.parse(timestamp));
  const isUnit = by === "unit";
  const unit = { hierarchy: ["plan", sessionId], methodology: "plan", label: entries[0].message.content };
  const planned = isUnit ? {} : { plannedSteps };
  const events = [
    {
      kind: "start",
      sessionId,
      at: first,
      agent: "planner",
      type: "build",
      directory,
      methodology: "plan",
      ...planned,
    },
  ];
  if (isUnit) events.push({ kind: "unit", sessionId, at: first, unit, state: "started", plannedSteps });
  for (const entry of entries) {
    const common = { sessionId, at: Date.parse(entry.timestamp), ...(entry.agentId && { agentId: entry.agentId }) };
    const { content, usage } = entry.message;
    if (usage)
      events.push({
        kind: "step",
        ...common,
        inputTokens: usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
        outputTokens: usage.output_tokens,
      });
    for (const part of Array.isArray(content) ? content : [{ type: "prompt", text: content }]) {
      if (part.type === "prompt") events.push({ kind: "prompt", ...common, text: part.text });
      if (part.type === "text") events.push({ kind: "reasoning", ...common, text: part.text });
      if (part.type === "tool_use")
        events.push({ kind: "call", ...common, callId: part.id, tool: part.name, input: part.input });
      if (part.type === "tool_result")
        events.push({
          kind: "result",
          ...common,
          callId: part.tool_use_id,
          text: part.content,
          isError: part.is_error === true,
        });
    }
  }
  if (isUnit) events.push({ kind: "unit", sessionId, at: last, unit, state: "succeeded", plannedSteps });
  return events;
}
