import { describe, expect, it } from "vitest";
import type { Containers } from "../languages/containers.js";
import { containers } from "../languages/rust/containers.js";
import { containerResult, containerType, handedByHolder, holderOf } from "./containers.js";
import type { Type } from "./linking-context.js";

const [row, key]: [Type, Type] = [
  { is: "list", of: [] },
  { is: "record", of: [] },
];
const option = holderOf(containers, [row]);

describe("types that hold others", () => {
  it("are as good as what they hold, or holders of it, or of pairs", () => {
    expect(typeOf("Box", [[row]])).toEqual([row]);
    expect(typeOf("std.vec.Vec", [[row]])).toEqual([option]);
    expect(typeOf("HashMap", [[key], [row]])).toEqual([mapOf(key, row)]);
  });

  it("are none in a language that has none, and by a name that is none", () => {
    expect(containerType(undefined, "Vec", [[row]])).toBeUndefined();
    expect(typeOf("Store", [[row]])).toBeUndefined();
  });

  it("give out what they hold, stay holders, or make pairs, by the method", () => {
    expect(resultOf(option, "unwrap")).toEqual([row]);
    expect(resultOf(option, "iter")).toEqual([option]);
    expect(resultOf(option, "enumerate")).toEqual([holderOf(containers, [{ is: "pair", keys: [], values: [row] }])]);
    expect(resultOf(option, "zip")).toEqual([holderOf(containers, [{ is: "pair", keys: [row], values: [] }])]);
    expect(resultOf(option, "len")).toEqual([]);
  });

  it("give what a callback or a type argument says, where one does", () => {
    expect(resultOf(option, "map", [[key]])).toEqual([holderOf(containers, [key])]);
    expect(resultOf(option, "map")).toEqual([]);
    expect(resultOf(option, "and_then", [[key]])).toEqual([key]);
    expect(resultOf(option, "collect", [[key]])).toEqual([key]);
    expect(resultOf(option, "collect")).toEqual([option]);
  });

  it("give the values or the keys of a map, and else what a holder of pairs gives", () => {
    const map = mapOf(key, row);

    expect(resultOf(map, "get")).toEqual([option]);
    expect(resultOf(map, "keys")).toEqual([holderOf(containers, [key])]);
    expect(resultOf(map, "iter")).toEqual([map]);
  });

  it("hand what they hold to the parameter of a callback that takes it", () => {
    expect(handedByHolder(option, "filter", 0, 0)).toEqual([row]);
    expect(handedByHolder(option, "filter", 0, 1)).toEqual([]);
    expect(handedByHolder(option, "fold", 1, 1)).toEqual([row]);
    expect(handedByHolder(option, "sort_by", 0, 1)).toEqual([row]);
    expect(handedByHolder(option, "len", 0, 0)).toEqual([]);
  });
});

function typeOf(written: string, given: readonly (readonly Type[])[], of: Containers = containers) {
  return containerType(of, written, given);
}

function resultOf(type: Type, name: string, given: readonly (readonly Type[])[] = []) {
  return containerResult(type, containers, name, given);
}

function mapOf(keys: Type, values: Type): Type {
  return holderOf(containers, [{ is: "pair", keys: [keys], values: [values] }]);
}
