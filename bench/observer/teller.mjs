// What an agent does, told with the variety of real ones: the same deed by other tools, paths whole and relative, and
// small things in between.
import { agentSession } from "../agent-session.mjs";
import { symbolOf, testOf } from "./made-up-project.mjs";

/**
 * Tells a session. `idle` is the share of steps that something unrelated comes after; `t.outside` says whether something
 * from outside the project was looked at so far.
 */
export function openTeller({ id, root, at, prompt, random, project, idle }) {
  const session = agentSession({ id, root, at, prompt });
  let count = 0;
  const quick = () => random.int(80, 900);
  const call = (work) => {
    count += 1;
    work();
    session.waits(random.int(200, 4000));
    return t;
  };
  const numbered = (text) =>
    text
      .split("\n")
      .map((line, n) => `${String(n + 1).padStart(6)}\t${line}`)
      .join("\n");

  const t = {
    session,
    random,
    project,
    root,
    outside: false,
    calls: () => count,
    say: (text) => (session.says(text, { outputTokens: random.int(20, 300) }), t),
    asks: (text) => (session.waits(random.int(5_000, 120_000)).prompts(text), t),
    wait: (ms) => (session.waits(ms), t),
    as: (agent, work) => (session.sub(agent), work(), session.back(), t),
    uses: (tool, input, answer) => call(() => session.uses(tool, input, answer)),
    run: (command, text = "", answer = {}) =>
      call(() => session.runs(command, { tookMs: random.int(300, 3000), ...answer, text })),
    read(file, { text = project.text(file), by = random.next() } = {}) {
      if (by < 0.8) return call(() => session.reads(file, { text: numbered(text), tookMs: quick() }));
      const path = random.chance(0.3) ? `${root}/${file}` : file;
      return by < 0.92 ? t.run(`cat ${path}`, text) : t.run(`sed -n '1,400p' ${path}`, text);
    },
    /** Changes some lines; what is returned can be taken back with `undo`. */
    edit(file, { before, after, lines = random.int(1, 6) } = {}) {
      const name = symbolOf(file);
      const body = (n) =>
        Array.from({ length: lines }, () => `  const ${name}${n} = ${random.int(1, 1e6)};`).join("\n");
      const done = { file, before: before ?? body("Old"), after: after ?? body("New") };
      call(() => {
        const input = { file_path: random.chance(0.1) ? file : `${root}/${file}` };
        const answer = { text: `The file ${root}/${file} has been updated.`, tookMs: quick() };
        if (random.chance(0.1)) {
          const edits = [{ old_string: done.before, new_string: done.after }];
          session.uses("MultiEdit", { ...input, edits }, answer);
        } else session.uses("Edit", { ...input, old_string: done.before, new_string: done.after }, answer);
      });
      return done;
    },
    undo: ({ file, before, after }) => t.edit(file, { before: after, after: before }),
    /** Looks for a text; `hits` are the files that have it. */
    grep(pattern, hits, { where = "src", by = random.next() } = {}) {
      const lines = hits.map((file) => `${file}:${random.int(1, 80)}:  ${pattern}(${random.int(1, 9)});`).join("\n");
      if (by < 0.6) return call(() => session.searches(pattern, hits, where === "." ? {} : { path: where }));
      const answer = { failed: hits.length === 0 };
      if (by < 0.85) return t.run(`rg -n "${pattern}" ${where}`, lines, answer);
      return t.run(`grep -rn "${pattern}" ${where}/`, lines, answer);
    },
    glob: (pattern, found) => call(() => session.globs(pattern, found)),
    write: (file, text) => call(() => session.writes(file, text, { tookMs: quick() })),
    /** All tests, or those of some files. `fails` is what goes wrong. */
    test({ fails, files = [] } = {}) {
      const command = files.length === 0 ? "npm test" : `npx vitest run ${files.join(" ")}`;
      return t.run(command, vitest(random, root, files, fails), {
        failed: fails !== undefined,
        tookMs: files.length === 0 ? random.int(17_000, 26_000) : random.int(1500, 4000),
      });
    },
    typecheck: ({ fails } = {}) =>
      t.run("npx tsc --noEmit", fails ?? (random.chance(0.5) ? "" : "Found 0 errors."), {
        failed: fails !== undefined,
        tookMs: random.int(4000, 8000),
      }),
    lint: () =>
      t.run("npm run lint", random.pick(["✖ 0 problems (0 errors, 0 warnings)", "Found 0 warnings and 0 errors."]), {
        tookMs: random.int(2000, 6000),
      }),
    fetch(url, text) {
      t.outside = true;
      return call(() => session.fetches(url, { text, tookMs: random.int(800, 3000) }));
    },
    /** Now and then something that has nothing to do with what goes on. */
    idle() {
      while (random.chance(idle)) random.pick(idleDeeds)(t);
      return t;
    },
  };
  return t;
}

const idleDeeds = [
  (t) => t.run("git status --short", ` M ${t.random.pick(t.project.pages)}`),
  (t) => t.run("git diff --stat", " 2 files changed, 14 insertions(+), 3 deletions(-)"),
  (t) => t.run("ls src", Object.keys(t.project.modules).join("\n")),
  (t) =>
    t.run("git log --oneline -3", `${t.random.hex(7)} Tidy\n${t.random.hex(7)} Fix rounding\n${t.random.hex(7)} Docs`),
  (t) => t.say(t.random.pick(["Good.", "Now the next part.", "That is as expected.", "Let me continue."])),
  (t) => t.say(t.random.pick(["I'll keep the change small.", "Next I will look at the callers.", "One moment."])),
  (t) =>
    t.uses(
      "TodoWrite",
      { todos: [{ content: "Go on", status: "in_progress" }] },
      { text: "Todos have been modified." },
    ),
  (t) => t.run("wc -l package.json", "6 package.json"),
];

function vitest(random, root, files, fails) {
  const passed = random.int(4, 60);
  const names = files.length > 0 ? files : ["src/orders/cart.test.ts", "src/audit/log.test.ts"];
  const head = ` RUN  v3.2.4 ${root}\n\n${names.map((file) => ` ✓ ${file} (${random.int(1, 9)} tests) ${random.int(3, 90)}ms`).join("\n")}`;
  if (fails === undefined)
    return `${head}\n\n Test Files  ${names.length} passed (${names.length})\n      Tests  ${passed} passed (${passed})\n   Duration  ${random.int(1, 20)}.${random.int(10, 99)}s`;
  return `${head}\n\n FAIL  ${names[0]} > works\n${fails}\n\n Test Files  1 failed | ${names.length} passed (${names.length + 1})\n      Tests  1 failed | ${passed} passed (${passed + 1})`;
}

/** What a test says that expects something else. */
export function assertion(random, file) {
  const [a, b] = [random.int(0, 99), random.int(100, 999)];
  const what = random.pick([
    `expected ${a} to be ${b} // Object.is equality`,
    `expected '${random.hex(4)}' to equal '${random.hex(4)}'`,
    `expected [ ${a}, ${b} ] to deeply equal [ ${b} ]`,
    `expected undefined to be defined`,
    `expected "spy" to be called ${random.int(1, 4)} times, but got ${a % 3} times`,
  ]);
  return `AssertionError: ${what}\n ❯ ${testOf(file)}:${random.int(5, 90)}:${random.int(3, 40)}`;
}
