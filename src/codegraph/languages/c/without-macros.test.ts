import { expect, it } from "vitest";
import { withoutMacros } from "./without-macros.js";

it("[G18] takes out the words that only a preprocessor understands, and keeps every line as long as it was", () => {
  const pairs = [
    ["LUA_API int lua_open (void);", "int lua_open (void);"],
    ["static unsigned int CURL_STDCALL run(void *arg)", "static unsigned int run(void *arg)"],
    ["class LEVELDB_EXPORT DB {", "class DB {"],
    ["  Items items_ GUARDED_BY(lock_);", "Items items_ ;"],
    ["  void Add() LOCKS_EXCLUDED(mu_) {", "void Add() {"],
    ["  x = va_arg(list, struct item *);", "x = va_arg(list );"],
    ["#endif /* of what", "/* of what"],
  ] as const;

  for (const [written, read] of pairs) {
    expect(withoutMacros(written)).toHaveLength(written.length);
    expect(withoutMacros(written).trim().replaceAll(/ +/g, " ")).toBe(read);
  }
});

it("[G18] leaves alone what is a program", () => {
  for (const line of [
    "static const FOO BAR = 3;",
    "  if(x) FREE(y);",
    "unsigned long long count(void);",
    "typedef struct node NODE;",
    "  return FOO;",
    "  FILE *file = OPEN(path);",
    "  else if(check(a)) DONE(b);",
    "  FOO_END",
  ]) {
    expect(withoutMacros(`enum {\n${line}`)).toBe(`enum {\n${line}`);
  }
});
