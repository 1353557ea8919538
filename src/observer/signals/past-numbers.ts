import type { PastSighting } from "./signal.js";

/** The numbers that sightings hold under a name, whatever else is there left out. */
export function numbersOf(sightings: readonly PastSighting[], name: string): number[] {
  return sightings
    .map(({ data }) => data[name])
    .filter((value): value is number => typeof value === "number" && Number.isFinite(value));
}

export function average(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** A number to the nearest tenth, as a sentence has it. */
export function toTenth(number: number): number {
  return Math.round(number * 10) / 10;
}
