import { afterAll, afterEach } from "vitest";
import { binding, refusalOf } from "./server-parser.js";

// What Tacit asks of a file it asks of a server too, in the same words. So whatever a test asks of a file or of a database in
// memory must be SQL that a server takes.
const { prepare } = binding.prototype;
const refused: string[] = [];

// How a file is kept, copied and checked is said to files only.
const forFiles = /^(?:PRAGMA|VACUUM|REINDEX)\b/;

binding.prototype.prepare = function (sql) {
  const refusal = forFiles.test(sql) ? undefined : refusalOf(sql);
  if (refusal !== undefined) refused.push(`${refusal}\n${sql}`);
  return prepare.call(this, sql);
};

// Not thrown where it happens: much of Tacit goes on without what fails.
afterEach(() => {
  const [first] = refused.splice(0);
  if (first !== undefined) throw new Error(`A libSQL server would refuse this: ${first}`);
});

afterAll(() => {
  binding.prototype.prepare = prepare;
});
