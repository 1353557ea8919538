import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

/** Ends a run with the tests that were skipped and why. Those that `-t` leaves out were not asked for. */
export default class SkipReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const isFiltered = this.#vitest?.config.testNamePattern !== undefined;
    const skipped = modules.flatMap(({ children }) => [...children.allTests("skipped")]);
    const listed = skipped.filter((test) => !isFiltered || reasonOf(test) !== undefined);
    if (listed.length > 0) this.#vitest?.logger.log(linesOf(listed).join("\n"));
  }
}

function linesOf(tests: TestCase[]): string[] {
  const reasons = new Set(tests.map(reasonOf));
  const lines = [...reasons].flatMap((reason) => {
    const those = tests.filter((test) => reasonOf(test) === reason);
    const names = those.map(({ module, fullName }) => `    ${module.relativeModuleId} > ${fullName}`);
    return [`  ${countOf(those)}: ${reason ?? "no reason is given"}`, ...names];
  });
  return [`${countOf(tests)} skipped:`, ...lines];
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === "skipped" ? result.note : undefined;
}

function countOf({ length }: TestCase[]): string {
  return length === 1 ? "1 test" : `${length} tests`;
}
