/** Of things in their order, those from one order to another, both included. */
export function during<T extends { order: number }>(things: readonly T[], first: number, last: number): T[] {
  return things.slice(position(things, first), position(things, last + 1));
}

/** How many of them come before an order. */
export function position(things: readonly { order: number }[], order: number): number {
  let low = 0;
  let high = things.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((things[middle]?.order ?? Infinity) < order) low = middle + 1;
    else high = middle;
  }
  return low;
}
