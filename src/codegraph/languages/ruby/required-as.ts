/** What Ruby may require a file as, from wherever it lies: `lib/rack/utils.rb` is `rack/utils`. */
export function requiredAs(path: string): string | undefined {
  return /(?:^|\/)(?:lib|spec|test)\/(.+)\.rb$/.exec(path)?.[1];
}
