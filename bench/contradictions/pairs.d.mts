/** Kind, older and newer statement. */
type Pair = [kind: string, older: string, newer: string];

interface Pairs {
  contradictions: Pair[];
  lookAlikes: Pair[];
}

export const dev: Pairs;
export const held: Pairs;
export const fresh: Pairs;
