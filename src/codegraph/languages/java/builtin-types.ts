import type { BuiltinTypes } from "../language-linking.js";

export const builtinTypes: BuiltinTypes = {
  wrappers: ["Optional", "AtomicReference", "Supplier", "CompletableFuture"],
  lists:
    `List Set Collection Iterable Iterator ArrayList LinkedList HashSet TreeSet LinkedHashSet Queue Deque Stack SortedSet
    Stream`.split(/\s+/),
  maps: "Map HashMap TreeMap LinkedHashMap ConcurrentHashMap".split(" "),
};
