import { csharp } from "./csharp.js";
import { go } from "./go.js";
import { java } from "./java.js";
import type { Language } from "./language.js";
import { php } from "./php.js";
import { python } from "./python.js";
import { rust } from "./rust.js";
import { typescript } from "./typescript.js";

/** Every language that is parsed. What has none is kept as text. */
export const languages: readonly Language[] = [typescript, python, csharp, go, java, php, rust];
