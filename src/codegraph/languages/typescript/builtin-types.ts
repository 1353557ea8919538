import type { BuiltinTypes } from "../language-linking.js";

export const builtinTypes: BuiltinTypes = {
  wrappers:
    "Promise PromiseLike Awaited Readonly Partial Required NonNullable Pick Omit Extract Exclude NoInfer Awaitable".split(
      " ",
    ),
  lists: `Array ReadonlyArray Set ReadonlySet WeakSet Iterable Iterator IterableIterator AsyncIterable AsyncIterator
    AsyncIterableIterator Generator AsyncGenerator ArrayLike`.split(/\s+/),
  maps: ["Map", "ReadonlyMap", "WeakMap"],
  records: ["Record"],
  results: ["ReturnType"],
  instances: ["InstanceType"],
};
