// Below that, it is the clock that is measured.
const grainMs = 0.05;

/**
 * How many times longer a work takes over a text that is four times as long: some 4 where time grows with the length, 16 where
 * it grows with its square. The best of several runs each; where it looks like more than `enough`, of many, since a busy machine
 * spoils most of them.
 */
export function growthOf(
  text: (length: number) => string,
  work: (text: string) => unknown,
  { length, enough }: { length: number; enough: number },
): number {
  const [short, long] = [text(length), text(length * 4)];
  const best = { short: Infinity, long: Infinity };
  const growth = () => best.long / Math.max(best.short, grainMs);
  for (let run = 0; run < 8 || (run < 40 && growth() >= enough); run += 1) {
    best.short = Math.min(
      best.short,
      timeOf(() => work(short)),
    );
    best.long = Math.min(
      best.long,
      timeOf(() => work(long)),
    );
  }
  return growth();
}

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
