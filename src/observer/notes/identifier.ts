/** A name as programs write it: `x`, camelCase, snake_case, a-path/to, name(), file.ext, ALL_CAPS. */
export const identifier =
  /`[^`\s]|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+|\b\w[\w-]*\/[\w./-]+|\b\w+\(\)|\b\w[\w-]*\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|cs|json|ya?ml|toml|sql|md|sh|html|css)\b|\b[A-Z]{2,}[A-Z\d]*\b/;
