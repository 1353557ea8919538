import type { BuiltinTypes } from "../language-linking.js";

export const builtinTypes: BuiltinTypes = {
  wrappers: ["Awaitable", "Optional", "Annotated", "Final", "ClassVar"],
  lists:
    `list List set Set frozenset FrozenSet tuple Tuple Sequence MutableSequence Collection deque Deque Iterable Iterator
    AsyncIterable AsyncIterator Generator AsyncGenerator`.split(/\s+/),
  maps: "dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict".split(" "),
};
