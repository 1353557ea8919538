import { redactSecrets } from "../../hygiene/secrets/redact-secrets.js";

// So many are looked at in one text: one by one, each costs as much as all of them.
const page = 500;

/** Leaves out the symbols that hold a secret: their first words, such as the version of a package, stand in no file. */
export async function withoutSecrets<T extends readonly [symbol: string, ...rest: unknown[]]>(
  symbols: readonly T[],
): Promise<T[]> {
  const clean: T[] = [];
  for (let at = 0; at < symbols.length; at += page) {
    const part = symbols.slice(at, at + page);
    if (await isClean(part.map(([symbol]) => symbol).join("\n"))) clean.push(...part);
    else for (const one of part) if (await isClean(one[0])) clean.push(one);
  }
  return clean;
}

async function isClean(text: string): Promise<boolean> {
  return (await redactSecrets(text)) === text;
}
