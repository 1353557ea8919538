import { describe, expect, it } from "vitest";
import { findDocComment } from "./find-doc-comment.js";

describe("the comment that opens a file", () => {
  it.each([
    ["a.ts", "/**\n * Reads rows from a file.\n *\n * Not more.\n */\nimport a;", "Reads rows from a file."],
    ["a.ts", "#!/usr/bin/env node\n// Runs it all at once.\n\nrun();", "Runs it all at once."],
    ["a.ts", "// Copyright 2026 Acme.\n\n/* Reads rows from a file. @internal */", "Reads rows from a file. @internal"],
    ["a.ts", '"use strict";\n/** Reads rows from here.\n * @param a\n */', '"use strict" is not it'],
    ["a.py", '"""Reads rows from a file.\n\nMore."""\nimport os', "Reads rows from a file."],
    ["a.py", "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n\n# Reads all the rows.\n", "Reads all the rows."],
    ["a.rs", "//! Reads rows from a file.\n//!\n//! More.\nuse a;", "Reads rows from a file."],
    ["a.rs", "#![no_std]\n#![cfg_attr(not(x), allow(dead_code))]\n\n//! Reads all the rows.\n", "Reads all the rows."],
    ["a.rs", "#![no_std]\n#![cfg_attr(not(x), allow(dead_code))]\n\nuse rows;", undefined],
    ["doc.go", "// Package rows reads rows.\npackage rows", "Package rows reads rows."],
    ["a.php", "<?php\n\ndeclare(strict_types=1);\n\n/** Reads rows from a file. */", "Reads rows from a file."],
    ["a.ts", "import a;\n/** Is about the next thing. */", undefined],
    ["a.ts", "// const a = read(b, c);\nimport a;", undefined],
    ["a.ts", "// rows\nimport a;", undefined],
    ["a.h", "#include <rows.h>\n", undefined],
    ["a.ts", "", undefined],
  ])("of %s in %j", (file, text, said) => {
    expect(findDocComment(text, file)).toBe(said === '"use strict" is not it' ? "Reads rows from here." : said);
  });
});
