import type { BuiltinTypes } from "../language-linking.js";

export const builtinTypes: BuiltinTypes = {
  wrappers: ["Task", "ValueTask", "Nullable", "Lazy"],
  lists: `List LinkedList HashSet SortedSet Queue Stack IEnumerable IEnumerator IList ICollection IReadOnlyList
    IReadOnlyCollection ISet Collection ConcurrentBag ConcurrentQueue`.split(/\s+/),
  maps: "Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary".split(" "),
};
