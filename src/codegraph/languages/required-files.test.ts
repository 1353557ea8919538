import { describe, expect, it } from "vitest";
import { stemsOf } from "./stems-of.js";
import { createPhpResolver } from "./php/create-php-resolver.js";
import { createRubyResolver } from "./ruby/create-ruby-resolver.js";

const resolvers = { php: createPhpResolver, ruby: createRubyResolver };

describe("what a file requires", () => {
  it.each([
    ["php", "src/a.php", "./b.php", "src/b.php"],
    ["php", "src/a.php", "./../b.php", "b.php"],
    ["php", "src/a.php", "lib/b.php", "lib/b.php"],
    ["ruby", "lib/shop/a.rb", "./b", "lib/shop/b.rb"],
    ["ruby", "lib/shop/a.rb", "shop/b", "lib/shop/b.rb"],
    ["ruby", "bin/a.rb", "shop/b.rb", "gems/shop/lib/shop/b.rb"],
    ["ruby", "spec/a_spec.rb", "spec_helper", "spec/spec_helper.rb"],
  ] as const)("[G18] is found in %s from %s as %s, also when it appears later", (language, from, specifier, file) => {
    const resolve = (files: string[]) =>
      resolvers[language]({ files: new Set(files), settings: new Map() }).resolve(from, specifier);

    expect(resolve([from, file]).file).toBe(file);
    const { file: found, stems } = resolve([from]);
    expect(found).toBeUndefined();
    expect(stems.some((stem) => stemsOf(file).includes(stem))).toBe(true);
  });

  it("[G18] is missed where it must lie beside the file, and outside where it is installed", () => {
    const php = createPhpResolver({ files: new Set(["a.php"]), settings: new Map() });
    const ruby = createRubyResolver({ files: new Set(["a.rb"]), settings: new Map() });

    expect(php.resolve("a.php", "./gone.php").isMissing).toBe(true);
    expect(php.resolve("a.php", "./vendor/autoload.php").isMissing).toBeUndefined();
    expect(ruby.resolve("a.rb", "./gone").isMissing).toBe(true);
    expect(ruby.resolve("a.rb", "json").isMissing).toBeUndefined();
  });

  it("[G18] is the nearest of several in Ruby", () => {
    const files = ["gems/a/lib/util.rb", "gems/b/lib/util.rb", "gems/b/lib/b.rb"];
    const ruby = createRubyResolver({ files: new Set(files), settings: new Map() });

    expect(ruby.resolve("gems/b/lib/b.rb", "util").file).toBe("gems/b/lib/util.rb");
  });
});
