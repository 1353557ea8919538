// Writes what .ci/run says of a suite at its end into the file $TACIT_CI_SUMMARY: first how many tests passed, failed and were
// skipped, then a line or more for each that failed or was skipped.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

const longest = 3000;

export default class Reporter {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(inState);
    // Red without a failing test: a file that cannot be loaded, a hook of a suite, an error that nobody caught.
    const others = [
      ...modules.flatMap((module) => [module, ...module.children.allSuites()].map(errorsOf)),
      ...unhandled.map((error) => ({ name: "an error that no test caught", errors: [error] })),
    ].filter(({ errors }) => errors.length > 0);
    const lines = [
      [passed.length, failed.length + others.length, skipped.length].join(" "),
      ...skipped.map((test) => `── skipped ${nameOf(test)}${reasonOf(test)}`),
      ...[...failed.map((test) => ({ name: nameOf(test), errors: test.result().errors })), ...others].map(
        ({ name, errors }) => `── FAILED ${name}\n${errors.map(textOf).join("\n").slice(0, longest)}`,
      ),
    ];
    writeFileSync(process.env.TACIT_CI_SUMMARY, `${lines.join("\n")}\n`);
  }
}

function errorsOf(task) {
  return { name: nameOf(task), errors: task.errors() };
}

function nameOf(task) {
  const file = relative(process.cwd(), (task.module ?? task).moduleId);
  return task.fullName === undefined ? file : `${file}: ${task.fullName}`;
}

function reasonOf(test) {
  const { note } = test.result();
  return note === undefined ? "" : ` (${note})`;
}

function textOf({ message, stack, diff }) {
  return [stack ?? message, diff].filter(Boolean).join("\n");
}
