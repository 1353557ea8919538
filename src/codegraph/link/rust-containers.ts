import { made, type Type } from "./linking-context.js";

/**
 * What Rust's own types are: some are as good as what they hold, as `Box`, others have to give it out first, as `Option`,
 * `Vec` and every iterator do. Those are holders; a map holds pairs.
 */
export function heldType(
  path: string,
  written: string,
  [first = [], second = []]: readonly (readonly Type[])[],
): readonly Type[] | undefined {
  if (!path.endsWith(".rs")) return undefined;
  const name = written.slice(written.lastIndexOf(".") + 1);
  if (transparent.has(name)) return first;
  if (holders.has(name)) return [{ is: "holder", of: first }];
  return mapping.has(name) ? [{ is: "holder", of: [{ is: "pair", keys: first, values: second }] }] : undefined;
}

const transparent = new Set("Box Rc Arc Ref RefMut Cow Pin MutexGuard RwLockReadGuard RwLockWriteGuard".split(" "));
const holders = new Set(
  `Option Result Vec VecDeque LinkedList BinaryHeap HashSet BTreeSet IndexSet SmallVec RefCell Mutex RwLock OnceCell
   OnceLock Lazy LazyLock Weak Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Peekable Rev Iter IterMut
   IntoIter`.split(/\s+/),
);
const mapping = new Set("HashMap BTreeMap IndexMap".split(" "));

const givenOut = new Set(
  `unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked or_insert or_insert_with or_default
   get_or_insert get_or_insert_with get_or_init borrow borrow_mut swap_remove`.split(/\s+/),
);
const kept = new Set(
  `iter iter_mut into_iter as_ref as_mut as_deref as_deref_mut as_slice as_mut_slice ok cloned copied filter take skip rev
   chain clone to_owned to_vec or or_else peekable peek first last first_mut last_mut get get_mut next next_back pop pop_front
   pop_back front back find nth max min max_by min_by max_by_key min_by_key skip_while take_while step_by cycle fuse inspect
   collect lock read write try_borrow upgrade downgrade drain by_ref replace map_err ok_or ok_or_else context with_context
   into_boxed_slice reduce rfind`.split(/\s+/),
);
// What a callback gives is what they give, be it held or not.
const asCallback = new Set("and_then flat_map filter_map map_or map_or_else".split(" "));

export function isOfRust(type: Type): boolean {
  return (type.is === "instance" || type.is === "statics") && type.place.path.endsWith(".rs");
}

const derived = new Set(
  "clone default eq ne cmp partial_cmp hash fmt to_string to_owned into try_into borrow".split(" "),
);

/** Whether a method comes by `#[derive]`, or by what Rust has for every type. */
export function isDerived(name: string): boolean {
  return derived.has(name);
}

/**
 * What a method that Rust brings gives, be it by `#[derive]`. `given` is what it was told by type arguments, or what its
 * callback gives.
 */
export function heldResult(type: Type, name: string, given: readonly (readonly Type[])[]): readonly Type[] {
  if (type.is === "instance") return /^(?:clone|to_owned|by_ref|borrow|borrow_mut)$/.test(name) ? [type] : [];
  if (type.is === "statics") return name === "default" ? made(type) : [];
  if (type.is !== "holder") return [];
  const { of } = type;
  const [pair] = of;
  if (pair?.is === "pair") {
    if (/^(?:get|get_mut|remove|insert|entry|values|values_mut|into_values)$/.test(name))
      return [{ is: "holder", of: pair.values }];
    if (name === "keys" || name === "into_keys") return [{ is: "holder", of: pair.keys }];
  }
  if (given.length > 0 && (name === "map" || name === "parse")) return [{ is: "holder", of: given[0] ?? [] }];
  if (given.length > 0 && (asCallback.has(name) || name === "collect")) return given[0] ?? [];
  if (givenOut.has(name) || name === "remove") return of;
  if (name === "enumerate") return [{ is: "holder", of: [{ is: "pair", keys: [], values: of }] }];
  if (name === "zip") return [{ is: "holder", of: [{ is: "pair", keys: of, values: [] }] }];
  return kept.has(name) ? [{ is: "holder", of }] : [];
}

const handedOn = new Set(
  `map for_each filter find any all and_then flat_map filter_map inspect position take_while skip_while retain is_some_and
   sort_by_key sort_unstable_by_key max_by_key min_by_key partition map_while find_map`.split(/\s+/),
);

/** What a method of a holder hands to a callback. */
export function handedByHolder(
  { of }: Extract<Type, { is: "holder" }>,
  name: string,
  argument: number,
  parameter: number,
): readonly Type[] {
  if (name === "map_or" || name === "map_or_else") return argument === 1 && parameter === 0 ? of : [];
  if (name === "fold" || name === "try_fold") return argument === 1 && parameter === 1 ? of : [];
  if (argument !== 0) return [];
  if (/^(?:sort_by|sort_unstable_by|max_by|min_by|reduce)$/.test(name)) return of;
  return handedOn.has(name) && parameter === 0 ? of : [];
}
