import type { Containers, HolderCallback, HolderMethod } from "../containers.js";

/** What Rust's own types hold, and how their methods give it out. */
export const containers: Containers = {
  transparent: setOf("Box Rc Arc Ref RefMut Cow Pin MutexGuard RwLockReadGuard RwLockWriteGuard"),
  holders: setOf(
    `Option Result Vec VecDeque LinkedList BinaryHeap HashSet BTreeSet IndexSet SmallVec RefCell Mutex RwLock OnceCell
     OnceLock Lazy LazyLock Weak Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Peekable Rev Iter IterMut
     IntoIter`,
  ),
  maps: setOf("HashMap BTreeMap IndexMap"),
  methods: new Map<string, HolderMethod>([
    ...each(
      `unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked or_insert or_insert_with or_default
       get_or_insert get_or_insert_with get_or_init borrow borrow_mut swap_remove remove`,
      { gives: "held" },
    ),
    ...each(
      `iter iter_mut into_iter as_ref as_mut as_deref as_deref_mut as_slice as_mut_slice ok cloned copied filter take skip
       rev chain clone to_owned to_vec or or_else peekable peek first last first_mut last_mut get get_mut next next_back pop
       pop_front pop_back front back find nth max min max_by min_by max_by_key min_by_key skip_while take_while step_by cycle
       fuse inspect lock read write try_borrow upgrade downgrade drain by_ref replace map_err ok_or ok_or_else context
       with_context into_boxed_slice reduce rfind`,
      { gives: "holder" },
    ),
    ...each("map parse", { told: "holder" }),
    // What a callback gives is what they give, be it held or not.
    ...each("and_then flat_map filter_map map_or map_or_else", { told: "it" }),
    ["collect", { told: "it", gives: "holder" }],
    ["enumerate", { gives: "pairs by number" }],
    ["zip", { gives: "pairs with others" }],
  ]),
  mapMethods: new Map([
    ...each("get get_mut remove insert entry values values_mut into_values", "values"),
    ...each("keys into_keys", "keys"),
  ]),
  callbacks: new Map<string, HolderCallback>([
    ...each(
      `map for_each filter find any all and_then flat_map filter_map inspect position take_while skip_while retain
       is_some_and sort_by_key sort_unstable_by_key max_by_key min_by_key partition map_while find_map`,
      { argument: 0, parameter: 0 },
    ),
    ...each("map_or map_or_else", { argument: 1, parameter: 0 }),
    ...each("fold try_fold", { argument: 1, parameter: 1 }),
    ...each("sort_by sort_unstable_by max_by min_by reduce", { argument: 0, parameter: "each" }),
  ]),
  derived: setOf("clone default eq ne cmp partial_cmp hash fmt to_string to_owned into try_into borrow"),
  copies: setOf("clone to_owned by_ref borrow borrow_mut"),
  makers: setOf("default"),
};

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/));
}

function each<const T>(names: string, value: T): [name: string, value: T][] {
  return names.split(/\s+/).map((name) => [name, value]);
}
