import { wrongUsage } from "../terminal/wrong-usage.js";

/** The token in a variable of the environment, which is where secrets belong; nothing where none is named. */
export async function readToken(variable: string | undefined): Promise<{ token?: string }> {
  if (variable === undefined) return {};
  const token = process.env[variable]?.trim();
  if (token) return { token };
  throw await wrongUsage(`There is no token in ${variable}.`, `Set ${variable} in the environment.`);
}
