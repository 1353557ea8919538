import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { configSchema } from "./config-schema.js";
import { readConfig } from "./read-config.js";
import { settings } from "./settings.js";

const shipped = join(import.meta.dirname, "..", "..", "tacit.config.schema.json");

describe("tacit.config.schema.json", () => {
  it("is what the settings make it, in the same order", () => {
    const inFile: unknown = JSON.parse(readFileSync(shipped, "utf8"));

    expect(JSON.stringify(inFile), "write JSON.stringify(configSchema()) to it, and format").toBe(
      JSON.stringify(configSchema()),
    );
  });

  it("allows the default of every setting", () => {
    for (const { name, default: value } of settings) expect(allows({ [name]: value }), name).toBe(true);
  });

  it.each([
    {},
    { $schema: "https://example.com", enabled: false, autoInject: true, cleanupDays: 0.5, maxEntries: 1 },
    { cleanupDays: null, maxEntries: null },
    { enabled: null },
    { enabled: "true" },
    { enabled: 1 },
    { autoInject: [] },
    { cleanupDays: -1 },
    { cleanupDays: "90" },
    { cleanupDays: true },
    { maxEntries: 0 },
    { maxEntries: 1.5 },
    { maxEntries: {} },
    { embeddingProvider: "ollama", embeddingModel: "qwen3-embedding:4b", embeddingDimensions: 1024 },
    { embeddingProvider: null, embeddingUrl: "https://models.example.com/v1", rerankKeyVariable: "COHERE_API_KEY" },
    { embeddingProvider: "voyage" },
    { embeddingProvider: 1 },
    { languageModelProvider: null },
    { embeddingModel: "" },
    { embeddingUrl: "https://me:secret@models.example.com" },
    { embeddingDimensions: 1020 },
    { embeddingDimensions: 32 },
    { embeddingDimensions: 65536 },
    { rerankKeyVariable: "sk-123" },
    { rerankTimeoutMs: 50 },
    { ignore: {} },
    { ignore: { paths: ["secrets/**"], commands: ["vault *"], projects: ["~/clients/*", "github.com/acme/*"] } },
    { ignore: ["secrets/**"] },
    { ignore: "secrets/**" },
    { ignore: null },
    { ignore: { path: ["secrets/**"] } },
    { ignore: { paths: "secrets/**" } },
    { ignore: { paths: [""] } },
    { ignore: { commands: [1] } },
    { ignore: { projects: ["shop"] } },
    { colour: 1 },
    [],
    null,
    5,
  ])("says the same about %j as reading it does", async (document) => {
    const home = temporaryFolder();
    writeFileSync(join(home, "tacit.config.json"), JSON.stringify(document));

    const isRead = await readConfig({ home }).then(
      () => true,
      () => false,
    );

    expect(allows(document)).toBe(isRead);
  });
});

/** As much of JSON Schema as the file uses. */
function allows(document: unknown, schema: Record<string, unknown> = configSchema()): boolean {
  const { type, minimum, maximum, multipleOf, pattern, properties, additionalProperties, ...rest } = schema as {
    type: string | string[];
    enum?: unknown[];
    pattern?: string;
    minimum?: number;
    maximum?: number;
    multipleOf?: number;
    minLength?: number;
    items?: Record<string, unknown>;
    properties?: Record<string, Record<string, unknown>>;
    additionalProperties?: boolean;
  };
  if (![type].flat().some((each) => isOfType(document, each))) return false;
  if (rest.enum && !rest.enum.includes(document)) return false;
  if (typeof document === "string" && pattern !== undefined && !new RegExp(pattern, "u").test(document)) return false;
  if (typeof document === "number") {
    const isInRange = document >= (minimum ?? document) && document <= (maximum ?? document);
    return isInRange && (multipleOf === undefined || document % multipleOf === 0);
  }
  if (typeof document === "string" && document.length < (rest.minLength ?? 0)) return false;
  if (Array.isArray(document)) return document.every((item) => !rest.items || allows(item, rest.items));
  if (typeof document !== "object" || document === null || !properties) return true;
  return Object.entries(document).every(([key, value]) => {
    const property = properties[key];
    return property ? allows(value, property) : additionalProperties !== false;
  });
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}
