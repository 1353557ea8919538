/** The same object without the keys whose value is undefined, which the library would take for a value. */
export function setOnly<T extends object>(values: { [Key in keyof T]?: T[Key] | undefined }): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys and values, less the unset ones
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
