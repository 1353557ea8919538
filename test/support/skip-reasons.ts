import { afterEach } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test was skipped. */
    skipped?: string;
  }
}

// Vitest's JSON report leaves the reason out that `skip` was given, and holds what a test knows of itself.
afterEach(({ task }) => {
  // Not among the declared fields, though reporters are given it.
  const { note } = { ...task.result } as { note?: string };
  if (note !== undefined) task.meta.skipped = note;
});
