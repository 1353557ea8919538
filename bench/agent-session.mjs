// A session of Claude Code, told step by step, as the transcript and as the hook inputs that it would have left.
import { createHash } from "node:crypto";

export function agentSession({ id, root, at, prompt = "Do the work." }) {
  const lines = [];
  const hooks = [];
  const common = { sessionId: id, cwd: root, version: "2.1.325", gitBranch: "main", userType: "external" };
  const hook = { session_id: id, cwd: root, transcript_path: `${root}/.transcript.jsonl` };
  let now = at;
  let count = 0;
  let agentId;
  let parent = null;

  const tick = (ms = 1000) => (now += ms);
  const uuid = () =>
    createHash("sha256")
      .update(`${id} ${(count += 1)}`)
      .digest("hex")
      .slice(0, 32);
  const path = (file) => (file.startsWith("/") ? file : `${root}/${file}`);
  const line = (entry) => {
    const own = uuid();
    const side = agentId === undefined ? { isSidechain: false } : { isSidechain: true, agentId };
    lines.push({ parentUuid: parent, ...side, ...common, uuid: own, timestamp: new Date(now).toISOString(), ...entry });
    parent = own;
  };
  const assistant = (content, usage = {}) =>
    line({
      type: "assistant",
      message: {
        id: `msg_${uuid()}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content,
        stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
        usage: { input_tokens: usage.inputTokens ?? 2000, output_tokens: usage.outputTokens ?? 100 },
      },
    });
  const use = (tool, input, { text = "", failed = false, tookMs = 1000 } = {}) => {
    const call = `toolu_${uuid()}`;
    const who = agentId === undefined ? {} : { agent_id: agentId };
    assistant([{ type: "tool_use", id: call, name: tool, input }]);
    hooks.push({
      at: now,
      ...hook,
      ...who,
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: input,
      tool_use_id: call,
    });
    tick(tookMs);
    line({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: call, content: text, ...(failed && { is_error: true }) }],
      },
    });
    hooks.push({
      at: now,
      ...hook,
      ...who,
      hook_event_name: failed ? "PostToolUseFailure" : "PostToolUse",
      tool_name: tool,
      tool_input: input,
      tool_use_id: call,
      ...(failed ? { error: text } : { tool_response: text }),
    });
    tick();
    return session;
  };

  const session = {
    id,
    prompts(text) {
      line({ type: "user", message: { role: "user", content: text } });
      hooks.push({ at: now, ...hook, hook_event_name: "UserPromptSubmit", prompt: text });
      tick();
      return session;
    },
    says(text, usage) {
      assistant([{ type: "text", text }], usage);
      tick();
      return session;
    },
    reads: (file, answer = {}) =>
      use("Read", { file_path: path(file) }, { ...answer, text: answer.text ?? "     1\texport {};\n" }),
    edits: (file, before, after, answer = {}) =>
      use(
        "Edit",
        { file_path: path(file), old_string: before, new_string: after },
        {
          ...answer,
          text:
            answer.text ??
            (answer.failed ? "String to replace not found in file." : `The file ${path(file)} has been updated.`),
        },
      ),
    writes: (file, text, answer = {}) =>
      use(
        "Write",
        { file_path: path(file), content: text },
        { ...answer, text: answer.text ?? `File created successfully at: ${path(file)}` },
      ),
    searches: (pattern, found, options = {}) =>
      use(
        "Grep",
        { pattern, ...(options.path && { path: path(options.path) }), ...(options.glob && { glob: options.glob }) },
        {
          text: Array.isArray(found)
            ? found.length === 0
              ? "No matches found"
              : `Found ${found.length} files\n${found.map(path).join("\n")}`
            : found,
        },
      ),
    globs: (pattern, found, options = {}) =>
      use(
        "Glob",
        { pattern, ...(options.path && { path: path(options.path) }) },
        {
          text: found.length === 0 ? "No files found" : found.map(path).join("\n"),
        },
      ),
    runs: (command, answer = {}) =>
      use(
        "Bash",
        { command },
        {
          ...answer,
          text:
            answer.failed && !(answer.text ?? "").startsWith("Exit code")
              ? `Exit code 1\n${answer.text ?? ""}`
              : (answer.text ?? ""),
        },
      ),
    fetches: (url, answer = {}) =>
      use("WebFetch", { url, prompt: "What does it say?" }, { ...answer, text: answer.text ?? "A page." }),
    uses: use,
    waits(ms) {
      tick(ms);
      return session;
    },
    sub(child) {
      agentId = child;
      hooks.push({
        at: now,
        ...hook,
        hook_event_name: "SubagentStart",
        agent_id: child,
        agent_type: "general-purpose",
      });
      return session;
    },
    back() {
      hooks.push({ at: now, ...hook, hook_event_name: "SubagentStop", agent_id: agentId });
      agentId = undefined;
      return session;
    },
    lines: () => lines.map((entry) => JSON.stringify(entry)),
    async *stream() {
      for (const entry of lines) yield Buffer.from(`${JSON.stringify(entry)}\n`);
    },
    hooks: ({ end = true } = {}) => [
      { at, ...hook, hook_event_name: "SessionStart", source: "startup" },
      ...hooks,
      ...(end ? [{ at: now, ...hook, hook_event_name: "SessionEnd", reason: "prompt_input_exit" }] : []),
    ],
  };
  session.prompts(prompt);
  return session;
}
