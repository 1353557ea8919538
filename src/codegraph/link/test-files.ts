/** Whether a file is there to test others, going by how it is called. */
export function isTestFile(path: string): boolean {
  return (
    /\.(?:test|spec)(?:-d)?\.[^./]+$/.test(path) ||
    /(?:^|\/)(?:__tests__|tests?)\//.test(path) ||
    /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(path) ||
    /(?:^|\/)(?:tests?[-_][^/]*|[^/]*[-_](?:unit)?tests?)\.(?:c|cc|cpp|cxx)$/.test(path) ||
    /(?:_test\.go|_(?:test|spec)\.rb|(?:^|\/)test_[^/]*\.rb|[a-z](?:Tests?|IT)\.(?:java|cs|php)|(?:^|\/)spec\/.*\.rb|(?:^|[/_])tests?\.rs)$/.test(
      path,
    )
  );
}
