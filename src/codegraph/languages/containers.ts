/**
 * Types of a language that hold others. Some are as good as what they hold, as `Box` of Rust; others have to give it out
 * first, as `Option`, `Vec` and every iterator do: those are holders, and a map holds pairs.
 */
export interface Containers {
  transparent: ReadonlySet<string>;
  holders: ReadonlySet<string>;
  maps: ReadonlySet<string>;
  /** What methods of a holder give. */
  methods: ReadonlyMap<string, HolderMethod>;
  /** What methods of a map give, in a holder; the others are those of a holder of pairs. */
  mapMethods: ReadonlyMap<string, "keys" | "values">;
  /** Which methods of a holder hand what it holds to a callback. */
  callbacks: ReadonlyMap<string, HolderCallback>;
  /** Methods that every type has without writing them … */
  derived: ReadonlySet<string>;
  /** … those of an instance that give itself … */
  copies: ReadonlySet<string>;
  /** … and those of a type that make one. */
  makers: ReadonlySet<string>;
}

export interface HolderMethod {
  /** Where a callback or a type argument says what comes out: that, or a holder of it. */
  told?: "it" | "holder";
  /** Else: what is held, a holder of that, or a holder of pairs that have it as their second, or as their first. */
  gives?: "held" | "holder" | "pairs by number" | "pairs with others";
}

/** Which argument the callback is, and which of its parameters is handed what is held. */
export interface HolderCallback {
  argument: number;
  parameter: number | "each";
}
