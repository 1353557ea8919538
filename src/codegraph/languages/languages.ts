import { c, cpp } from "./c/c.js";
import { csharp } from "./csharp/csharp.js";
import { go } from "./go/go.js";
import { java } from "./java/java.js";
import type { Language } from "./language.js";
import { php } from "./php/php.js";
import { python } from "./python/python.js";
import { ruby } from "./ruby/ruby.js";
import { rust } from "./rust/rust.js";
import { typescript } from "./typescript/typescript.js";

/** Every language that is parsed. What has none is kept as text. */
export const languages: readonly Language[] = [typescript, python, c, cpp, csharp, go, java, php, ruby, rust];
