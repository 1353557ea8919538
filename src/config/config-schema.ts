import { settings } from "./settings.js";

/** Where an editor finds the schema. An address, because the user's file and global installs have no node_modules. */
export const schemaAddress = "https://unpkg.com/tacit-memory/tacit.config.schema.json";

/** The JSON Schema of a configuration file, as the package ships it in `tacit.config.schema.json`. */
export function configSchema(): Record<string, unknown> {
  const properties = settings.map(({ name, purpose, default: value, schema, isUsersAlone }) => [
    name,
    {
      description: `Says ${purpose}.${isUsersAlone ? " Only in the user's own file." : ""}`,
      ...schema,
      default: value,
    },
  ]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: schemaAddress,
    title: "Settings of Tacit",
    type: "object",
    properties: { $schema: { type: "string" }, ...Object.fromEntries(properties) },
    additionalProperties: false,
    // Not of the standard; editors that follow them stop marking what Tacit reads.
    allowComments: true,
    allowTrailingCommas: true,
  };
}
