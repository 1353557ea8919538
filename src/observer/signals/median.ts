/** The middle one of some numbers; of an even count the lower of the two. Undefined where there are none. */
export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
}
