import { MemoryError } from "../base/memory-error.js";
import { defineMemoryTypes } from "../memory/type-registry/type-registry.js";
import { checkPlugin } from "./check-plugin.js";
import type { Methodologies, MethodologyPlugin } from "./methodology.js";
import { native } from "./native.js";
import { safely } from "./safely.js";

// A plug-in that fails in ever new words must not fill the memory of a process that stays open.
const maxNotes = 50;

/**
 * The ways of working of a program, `native` among them. Refuses a plug-in that is not whole, an id that is there already, and
 * a type that clashes. The types of the plug-ins are known to the whole process from then on.
 */
export function openMethodologies(plugins: readonly MethodologyPlugin[] = []): Methodologies {
  if (!Array.isArray(plugins)) {
    throw new MemoryError("invalid-input", "methodologies is no list.", "openMemory({ methodologies: [plugin] })");
  }
  const notes = new Set<string>();
  const note = (text: string) => {
    if (notes.size < maxNotes) notes.add(text);
  };
  const byId = new Map([[native.id, native]]);
  for (const plugin of plugins) {
    checkPlugin(plugin);
    const safe = safely(plugin, { note });
    if (byId.has(safe.id)) {
      throw new MemoryError(
        "invalid-input",
        `There are two methodologies with the id ${safe.id}.`,
        safe.id === native.id ? "native is built in; call yours something else." : "Give one of them another id.",
      );
    }
    byId.set(safe.id, safe);
  }
  for (const { id, customMemoryTypes } of byId.values()) {
    if (customMemoryTypes !== undefined) defineMemoryTypes(customMemoryTypes, id);
  }
  return {
    get: (id = native.id) => {
      const found = byId.get(id);
      if (found) return found;
      throw new MemoryError(
        "invalid-input",
        `There is no methodology ${JSON.stringify(id)}.`,
        `There are ${[...byId.keys()].join(", ")}. Others: openMemory({ methodologies: [plugin] })`,
      );
    },
    find: (id) => byId.get(id),
    list: () => [...byId.values()],
    notes: () => [...notes],
  };
}
