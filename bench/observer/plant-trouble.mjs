// Planted: what sessions show by what goes wrong in them.
import { assertion } from "./teller.mjs";
import { anyOpen, symbolOf, testOf } from "./made-up-project.mjs";

export function plantTrouble(kit) {
  plantErrors(kit);
  plantBacktracks(kit);
  plantConflicts(kit);
}

/** An error that comes back with other numbers and names, and what helps against it. */
const errors = [
  () => ({
    command: "npm run seed",
    fails: (r) => `PrismaClientInitializationError: Can't reach database server at \`localhost:${r.int(5000, 5999)}\``,
    fix: "docker compose up -d db",
    says: ["reach database server", "docker compose up"],
  }),
  () => ({
    command: "npm run typecheck",
    fails: (r) =>
      `src/audit/x${r.hex(2)}.ts(${r.int(1, 90)},5): error TS2307: Cannot find module '@shop/api-v${r.int(2, 9)}' or its corresponding type declarations.`,
    fix: "npm run codegen",
    says: ["TS2307", "npm run codegen"],
  }),
  (kit) => {
    const file = kit.project.takeFile();
    return {
      command: "npm test",
      fails: (r) =>
        `TypeError: Cannot destructure property 'tenant' of 'session' as it is undefined.\n    at open (src/audit/a${r.hex(2)}.ts:${r.int(1, 90)}:7)`,
      file,
      cause: `The cause is that ${symbolOf(file)} opens no session outside of a request.`,
      says: ["destructure property"],
    };
  },
  () => ({
    command: "npm run dev:check",
    fails: (r) => `Error: listen EADDRINUSE: address already in use :::${r.int(3000, 3999)}`,
    fix: "fuser -k 3000/tcp",
    says: ["EADDRINUSE", "fuser"],
  }),
  () => ({
    command: "npm run build",
    fails: (r) => `Error: Could not load the "sharp" module using the linux-x64 runtime (build ${r.int(100, 999)})`,
    fix: "npm rebuild sharp",
    says: ["sharp", "npm rebuild"],
  }),
  (kit) => {
    const file = kit.project.takeFile();
    return {
      command: "npm run migrate",
      fails: (r) => `error: relation "stock_${r.int(1, 999)}" already exists`,
      file,
      says: ["already exists"],
    };
  },
];

function plantErrors(kit) {
  const { random, project, plant, decoy, times } = kit;
  const meet = (t, { command, fails, fix, file, cause }) => {
    t.run(command, fails(random), { failed: true, tookMs: random.int(2000, 9000) }).idle();
    if (random.chance(0.4)) t.read("README.md");
    if (cause && random.chance(0.7)) t.say(cause);
    if (fix) t.run(fix, "done", { tookMs: random.int(2000, 9000) });
    else {
      t.read(file);
      t.edit(file);
    }
    t.idle().run(command, "Done.", { tookMs: random.int(2000, 9000) });
  };
  const kinds = random.shuffle(errors).map((make) => make(kit));
  for (let n = times(4); n > 0; n--) {
    const kind = kinds.pop();
    plant({
      signal: "error-retry",
      types: ["error_pattern", "gotcha"],
      files: kind.file ? [kind.file] : [],
      says: kind.says,
      needed: 2,
      shown: random.int(2, 3),
      tell: (t) => meet(t, kind),
    });
  }
  const once = kinds.pop();
  decoy({
    signal: "error-retry",
    about: "one session only",
    shown: 1,
    tell: (t) => (meet(t, once), t.idle(), meet(t, once)),
  });
  const linted = project.takeFile();
  decoy({
    signal: "error-retry",
    about: "0 errors",
    shown: 3,
    tell(t) {
      t.lint();
      t.edit(linted);
      t.lint();
    },
  });
  decoy({
    signal: "error-retry",
    about: "passes by itself",
    shown: 3,
    tell(t) {
      const files = [testOf(anyOpen(kit))];
      t.test({ fails: `Error: Test timed out in ${random.int(5, 9)}000ms.`, files })
        .say("Let me run it again.")
        .test({ files });
    },
  });
  decoy({
    signal: "error-retry",
    about: "never resolved",
    shown: 3,
    tell(t) {
      t.run("npm run report:nightly", `Error: bucket shop-reports-${random.int(1, 99)} is not reachable`, {
        failed: true,
      });
      t.say("That needs access which I do not have; going on without.");
      t.edit(anyOpen(kit));
    },
  });
}

function plantBacktracks({ random, project, plant, decoy, times }) {
  const breakdown = (file) =>
    random.pick([
      `Error: ${symbolOf(file)} was called twice for order ${random.int(100, 999)}`,
      `TypeError: ${symbolOf(file)} is not iterable\n    at run (src/sync/run.ts:${random.int(2, 90)}:4)`,
      `Error: checksum of ${random.hex(8)} does not match`,
    ]);
  const takeBack = (t, done) => {
    const how = random.int(0, 2);
    if (how === 0) t.undo(done);
    else t.run(`git ${how === 1 ? "checkout --" : "restore"} ${done.file}`);
  };
  const tryIt = (t, file) => {
    t.read(file);
    const done = t.edit(file, { lines: random.int(6, 14) });
    t.idle()
      .test({ fails: breakdown(file) })
      .idle();
    if (random.chance(0.5))
      t.say(random.pick(["That breaks too much, taking it back.", "I'll leave this file alone."]));
    takeBack(t, done);
    t.test();
  };
  for (let n = times(4); n > 0; n--) {
    const file = project.takeFile();
    plant({
      signal: "backtrack",
      types: ["gotcha"],
      files: [file],
      needed: 2,
      shown: random.int(2, 3),
      alsoDeadEnd: true,
      // Otherwise what comes next would be what was done instead.
      isLeftThere: true,
      prompt: () => `Simplify ${symbolOf(file)}.`,
      tell: (t) => tryIt(t, file),
    });
  }
  for (let n = times(2); n > 0; n--) {
    const [mind, probe] = [project.takeFile(), project.takeFile()];
    decoy({
      signal: "backtrack",
      about: "a second thought, nothing failed",
      shown: 3,
      tell(t) {
        t.read(mind);
        const done = t.edit(mind, { lines: 8 });
        takeBack(t.idle(), done);
        t.test();
      },
    });
    decoy({
      signal: "backtrack",
      about: "prints while looking for a cause",
      shown: 2,
      tell(t) {
        const files = [testOf(probe)];
        const fails = assertion(random, probe);
        t.test({ fails, files }).read(probe);
        const print = t.edit(probe, { before: "  return value;", after: "  console.log(value);\n  return value;" });
        t.test({ fails, files });
        t.undo(print);
        t.edit(probe);
        t.test({ files });
      },
    });
  }
}

function plantConflicts({ random, project, plant, decoy, times }) {
  const lost = [
    "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.",
    "String to replace not found in file.\nString: const limit = 10;",
  ];
  const two = (t) => [`agent-${random.hex(6)}`, `agent-${random.hex(6)}`].map((id) => (work) => t.as(id, work));
  for (let n = times(4); n > 0; n--) {
    const file = project.takeFile();
    const kind = n % 3;
    plant({
      signal: "parallel-conflict",
      types: ["gotcha"],
      files: [file],
      needed: 1,
      shown: 1,
      prompt: () => "Do both at once with two helpers.",
      tell(t) {
        const [one, other] = two(t);
        one(() => t.read(file, { by: 0 }).idle());
        other(() => t.read(file, { by: 0 }).idle());
        let done;
        one(() => (done = t.edit(file)));
        other(() => {
          if (kind === 0)
            t.uses(
              "Edit",
              { file_path: `${t.root}/${file}`, old_string: "const limit = 10;", new_string: "const limit = 20;" },
              { text: random.pick(lost), failed: true },
            );
          else if (kind === 1) t.write(file, `export const all = ${random.int(1, 1e6)};\n`);
          else t.undo(done);
        });
        one(() => t.run("git diff --stat", " 1 file changed").say("Done."));
        other(() => t.read(file, { by: 0 }).say("Done as well."));
        t.test();
      },
    });
  }
  for (let n = times(2); n > 0; n--) {
    const [mine, yours, later] = [project.takeFile(), project.takeFile(), project.takeFile()];
    decoy({
      signal: "parallel-conflict",
      about: "different files",
      shown: 1,
      tell(t) {
        const [one, other] = two(t);
        one(() => t.read(mine, { by: 0 }));
        other(() => t.read(yours, { by: 0 }));
        one(() => t.edit(mine));
        other(() => t.edit(yours));
        one(() => t.say("Done."));
      },
    });
    decoy({
      signal: "parallel-conflict",
      about: "one after the other",
      shown: 1,
      tell(t) {
        const [one, other] = two(t);
        one(() => t.read(later, { by: 0 }).edit(later));
        t.wait(60_000);
        other(() => t.read(later, { by: 0 }).edit(later));
        t.test();
      },
    });
  }
}
