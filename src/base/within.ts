/**
 * What a promise gives, or what is said instead when it takes longer. The work goes on; whoever cannot stop it must not
 * wait for it.
 *
 * @example await within(50, lookUp(), () => undefined)
 */
export async function within<T, U>(ms: number, work: Promise<T>, otherwise: () => U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<U>((give) => {
    timer = setTimeout(() => give(otherwise()), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
