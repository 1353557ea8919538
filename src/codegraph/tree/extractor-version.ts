import { linkerVersion } from "./linker-version.js";

// Raised whenever a language extracts something else of the same text, or other files are skipped: every file is then read
// anew. The same goes for what linking finds in it.
const extraction = 3;

export const extractorVersion = `${extraction}.${linkerVersion}`;
