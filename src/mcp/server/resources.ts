import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { quote, type QuotedMemory } from "../tools/quote.js";
import type { CallContext } from "../tools/tool.js";
import { knownType } from "../tools/memory-header.js";

const mimeType = "text/plain";
const digestUri = "tacit://digest";
const memoryUri = "tacit://memory/";

export const resources: Resource[] = [
  {
    uri: digestUri,
    name: "digest",
    title: "Digest",
    description: "What this project's memory holds: how many of each type, the newest and the most used",
    mimeType,
  },
];

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: `${memoryUri}{id}`,
    name: "memory",
    title: "Memory",
    description: "One memory, by its id, the last 8 characters of it, or its name",
    mimeType,
  },
];

/** The resource as quoted data; undefined where there is none by that address, or what there is may not be told. */
export async function readResource(uri: string, context: CallContext): Promise<ReadResourceResult | undefined> {
  if (uri === digestUri) return { contents: [{ uri, mimeType, text: await digest(context) }] };
  const reference = uri.startsWith(memoryUri) ? decode(uri.slice(memoryUri.length)) : "";
  const memory = reference === "" ? undefined : await (await context.memory()).get(reference);
  // What waits or was called wrong is for a person to look at, not for a model.
  if (memory?.status !== "active") return undefined;
  const { text } = await quote([{ memory }], { point: "memory" });
  return { contents: [{ uri: `${memoryUri}${memory.id}`, mimeType, text }] };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

const shown = 5;
// Of more, the newest so many are counted: 100,000 memories would be read to be counted, half a second for 10,000.
const maxCounted = 10_000;

async function digest({ memory }: CallContext): Promise<string> {
  const opened = await memory();
  const all = await opened.list({ limit: maxCounted, includeTainted: false });
  const used = await opened.list({ sort: "uses", limit: shown, includeTainted: false });
  const counts = new Map<string, number>();
  for (const { type } of all) counts.set(knownType(type), (counts.get(knownType(type)) ?? 0) + 1);
  const counted = [...counts].toSorted((a, b) => b[1] - a[1]).map(([type, count]) => `${count} ${type}`);
  const many = all.length === maxCounted ? "the newest " : "";
  const newest = all.slice(0, shown);
  const told: QuotedMemory[] = [
    ...newest.map((one) => ({ memory: one, why: "Among the newest." })),
    ...used
      .filter((one) => one.accessCount > 0 && !newest.some(({ id }) => id === one.id))
      .map((one) => ({ memory: one, why: "Among the most used." })),
  ];
  const { text } = await quote(told, { point: "digest", notes: [`Memories: ${many}${all.length}`, ...counted] });
  return text;
}

/** The ids that complete what was typed of one, newest first. */
export async function completeId(typed: string, { memory }: CallContext): Promise<string[]> {
  const newest = await (await memory()).list({ limit: 100, includeTainted: false });
  return newest.map(({ id }) => id).filter((id) => id.startsWith(typed) || id.slice(-8).startsWith(typed));
}
