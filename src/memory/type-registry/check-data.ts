import type { ZodType } from "zod";
import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { isBuiltIn, memoryType } from "./memory-types.js";

/** Refuses structured data that does not fit the schema of its type. A type without one takes any object. */
export async function checkData(type: string, data: Record<string, Json>): Promise<unknown> {
  const checked = await parse(type, data);
  if (!checked || checked.success) return data;
  const [issue] = checked.error.issues;
  const path = ["data", ...(issue?.path ?? [])].join(".");
  throw new MemoryError(
    "invalid-input",
    `The data of a ${type} does not fit at ${path}: ${issue?.message ?? "unknown"}.`,
    isBuiltIn(type)
      ? "docs/GLOSSARY.md lists the fields of every type; leave data out if there is none."
      : "Whoever defined the type decides; leave data out if there is none.",
  );
}

type Parsed = ReturnType<ZodType["safeParse"]>;

/** What a schema says. That of a custom type is somebody else's code, which may fail in any way. */
async function parse(type: string, data: Record<string, Json>): Promise<Parsed | undefined> {
  try {
    const parsed = (await memoryType(type).loadSchema?.())?.safeParse(data);
    if (parsed && !parsed.success && !Array.isArray(parsed.error?.issues)) throw new TypeError("it is no zod schema");
    return parsed;
  } catch (error) {
    throw new MemoryError(
      "invalid-input",
      `The schema of a ${type} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      "Mend loadSchema where the type is defined, or leave data out.",
      error,
    );
  }
}
