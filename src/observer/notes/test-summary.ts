/** How many tests passed and failed. */
interface TestSummary {
  passed: number;
  failed: number;
}

// A summary is the last thing that a run of tests prints, but for notes on coverage and stacks of npm.
const looksAt = 6000;

/**
 * What a run of tests says at its end; undefined where it says nothing of the kind. Knows vitest, Jest, Mocha, node:test,
 * Bun, Playwright, pytest, unittest, cargo, go, RSpec, JUnit by Maven and Gradle, dotnet, PHPUnit and CTest.
 */
export function testSummary(text: string): TestSummary | undefined {
  const end = text.length > looksAt ? text.slice(-looksAt) : text;
  for (const [hint, read] of runners) {
    if (!end.includes(hint)) continue;
    const summary = read(end);
    if (summary) return summary;
  }
  return undefined;
}

type Reader = (text: string) => TestSummary | undefined;

const runners: [hint: string, read: Reader][] = [
  // vitest: "Tests  1 failed | 12 passed (13)"; Jest: "Tests:  1 failed, 12 passed, 13 total".
  ["Tests", (text) => counts(lastMatch(text, /^\s*Tests:?\s{1,20}(\d.{0,120})$/gm)?.[1])],
  ["Test Files", (text) => counts(lastMatch(text, /^\s*Test Files\s{1,20}(\d.{0,120})$/gm)?.[1])],
  ["test result: ", sumOf(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)],
  ["Tests run: ", mavenSummary],
  [" in ", (text) => counts(lastMatch(text, /^(?:=+ )?((?:\d+ \w+,? ){1,8})in [\d.:]+(?:s| )/gm)?.[1])],
  ["Ran ", unittestSummary],
  [" passing", (text) => pair(text, /^\s*(\d+) passing\b/m, /^\s*(\d+) failing\b/m)],
  ["pass ", (text) => pair(text, /^(?:#|ℹ) pass (\d+)$/m, /^(?:#|ℹ) fail (\d+)$/m)],
  [" pass", (text) => pair(text, /^\s*(\d+) pass$/m, /^\s*(\d+) fail$/m)],
  [" passed (", (text) => pair(text, /^\s*(\d+) passed \(/m, /^\s*(\d+) failed$/m)],
  [" examples, ", (text) => wholeAndFailed(/(\d+) examples?, (\d+) failures?/.exec(text))],
  ["Failed:", (text) => failedAndPassed(/Failed:\s{1,10}(\d+), Passed:\s{1,10}(\d+)/.exec(text))],
  [" tests completed", (text) => wholeAndFailed(/(\d+) tests completed, (\d+) failed/.exec(text))],
  [" tests failed out of ", ctestSummary],
  ["OK (", (text) => wholeAndFailed(/^OK \((\d+) tests?()/m.exec(text))],
  [
    "Tests: ",
    (text) => wholeAndFailed(/^Tests: (\d+), Assertions: \d+(?:, Errors: \d+)?, Failures: (\d+)/m.exec(text)),
  ],
  ["ok", goSummary],
  ["FAIL", goSummary],
];

/** "1 failed | 12 passed (13)", "2 passed, 1 error", "3 failed, 1 skipped". */
function counts(text: string | undefined): TestSummary | undefined {
  if (text === undefined) return undefined;
  const summary: TestSummary = { passed: 0, failed: 0 };
  let isOne = false;
  for (const [, count, word = ""] of text.matchAll(/(\d+) (\w+)/g)) {
    if (/^passed$/i.test(word)) summary.passed += Number(count);
    else if (/^(?:failed|errors?)$/i.test(word)) summary.failed += Number(count);
    else if (!/^(?:skipped|todo|total|xfailed|xpassed|warnings?|deselected|pending|rerun)$/i.test(word)) continue;
    isOne = true;
  }
  return isOne ? summary : undefined;
}

function sumOf(pattern: RegExp): Reader {
  return (text) => {
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) return undefined;
    const sum = (group: number) => found.reduce((total, match) => total + Number(match[group]), 0);
    return { passed: sum(1), failed: sum(2) };
  };
}

function pair(text: string, passing: RegExp, failing: RegExp): TestSummary | undefined {
  const passed = passing.exec(text)?.[1];
  const failed = failing.exec(text)?.[1];
  if (passed === undefined && failed === undefined) return undefined;
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 0) };
}

function wholeAndFailed(found: RegExpExecArray | null): TestSummary | undefined {
  if (!found) return undefined;
  const failed = Number(found[2]);
  return { passed: Math.max(0, Number(found[1]) - failed), failed };
}

function failedAndPassed(found: RegExpExecArray | null): TestSummary | undefined {
  return found ? { passed: Number(found[2]), failed: Number(found[1]) } : undefined;
}

function mavenSummary(text: string): TestSummary | undefined {
  const found = lastMatch(text, /Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?/g);
  if (!found) return undefined;
  const failed = Number(found[2]) + Number(found[3]);
  return { passed: Math.max(0, Number(found[1]) - failed - Number(found[4] ?? 0)), failed };
}

function unittestSummary(text: string): TestSummary | undefined {
  const whole = /^Ran (\d+) tests? in /m.exec(text)?.[1];
  if (whole === undefined) return undefined;
  const told = /^FAILED \((.{1,100})\)$/m.exec(text)?.[1] ?? "";
  const failed = [...told.matchAll(/(?:failures|errors)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { passed: Math.max(0, Number(whole) - failed), failed };
}

function ctestSummary(text: string): TestSummary | undefined {
  const found = /(\d+) tests failed out of (\d+)/.exec(text);
  return found ? { passed: Number(found[2]) - Number(found[1]), failed: Number(found[1]) } : undefined;
}

/** go counts nothing: tests where it names them (-v), else packages. */
function goSummary(text: string): TestSummary | undefined {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const packages = { passed: count(/^ok {2}\t\S+\t/gm), failed: count(/^FAIL\t\S+\t/gm) };
  const tests = { passed: count(/^ *--- PASS: /gm), failed: count(/^ *--- FAIL: /gm) };
  if (packages.passed + packages.failed === 0) return undefined;
  return tests.passed + tests.failed > 0
    ? { passed: Math.max(tests.passed, packages.passed), failed: Math.max(tests.failed, packages.failed) }
    : packages;
}

function lastMatch(text: string, pattern: RegExp): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].at(-1);
}
