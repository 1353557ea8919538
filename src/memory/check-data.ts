import type { Json } from "../base/base.js";
import { MemoryError } from "../base/memory-error.js";
import { memoryType } from "./memory-types.js";

/** Refuses structured data that does not fit the schema of its type. A type without one takes any object. */
export async function checkData(type: string, data: Record<string, Json>): Promise<unknown> {
  const schema = await memoryType(type).loadSchema?.();
  const checked = schema?.safeParse(data);
  if (!checked || checked.success) return data;
  const [issue] = checked.error.issues;
  const path = ["data", ...(issue?.path ?? [])].join(".");
  throw new MemoryError(
    "invalid-input",
    `The data of a ${type} does not fit at ${path}: ${issue?.message ?? "unknown"}.`,
    "docs/GLOSSARY.md lists the fields of every type; leave data out if there is none.",
  );
}
