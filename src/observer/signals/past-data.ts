import type { Json } from "../../base/base.js";
import type { PastSighting } from "./signal.js";

/** The texts that sightings hold under a name: one text or a list of them, whatever else is there left out. */
export function textsOf(sighting: PastSighting, name: string): string[] {
  const value = sighting.data[name];
  return (Array.isArray(value) ? value : [value]).filter(isText);
}

export function textOf(sighting: PastSighting, name: string): string | undefined {
  return textsOf(sighting, name)[0];
}

/** What the newest sighting that knows it says under a name. */
export function newestText(sightings: readonly PastSighting[], name: string): string | undefined {
  return sightings.map((sighting) => textOf(sighting, name)).findLast((text) => text !== undefined);
}

/** In how many sightings each text occurs under a name, the most frequent first, among equals the earliest seen. */
export function tally(sightings: readonly PastSighting[], name: string): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const sighting of sightings) {
    for (const text of new Set(textsOf(sighting, name))) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => ({ text, count })).toSorted((a, b) => b.count - a.count);
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}
