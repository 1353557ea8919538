import { MemoryError } from "../../base/memory-error.js";

/** Where a collection is. */
export interface ChromaAddress {
  /** Without a slash at its end. */
  server: string;
  tenant: string;
  database: string;
  collection: string;
  /** False where what is sent can be read on its way. */
  isPrivate: boolean;
}

/** What an error is called: by what the caller wanted. */
export type ChromaErrorCode = "import-refused" | "export-refused";

const usual = { tenant: "default_tenant", database: "default_database", collection: "memories" };

const example = "For example: http://127.0.0.1:8000, or http://127.0.0.1:8000?collection=notes";

/**
 * Reads an address such as `http://127.0.0.1:8000?collection=notes`. Refuses one that carries a user or a password: an address
 * ends up in histories and logs.
 */
export function readChromaAddress(address: string, code: ChromaErrorCode): ChromaAddress {
  const refuse = (message: string, hint: string) => new MemoryError(code, message, hint);
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw refuse("The address of the Chroma server cannot be read.", example);
  }
  if (url.username !== "" || url.password !== "") {
    throw refuse(
      "The address of the Chroma server carries a user or a password.",
      "Take it out. A token goes into a variable of the environment: --chroma-key-variable CHROMA_TOKEN",
    );
  }
  const unknown = [...url.searchParams.keys()].find((key) => !Object.hasOwn(usual, key));
  if (unknown !== undefined || url.hash !== "") {
    throw refuse("The address of the Chroma server says more than tenant, database and collection.", example);
  }
  const named = { ...usual, ...Object.fromEntries(url.searchParams) };
  // As the server itself wants it; what is refused here never becomes part of a path.
  const misnamed = Object.entries(named).find(([, name]) => !/^[a-z0-9][a-z0-9._-]{1,510}[a-z0-9]$/i.test(name));
  if (misnamed) {
    throw refuse(
      `A Chroma server has no ${misnamed[0]} of that name.`,
      "Names have 3 to 512 letters, digits, dots, dashes or underscores, with a letter or a digit at both ends.",
    );
  }
  const path = url.pathname.replace(/(?:\/api\/v2)?\/*$/, "");
  return { ...named, server: `${url.origin}${path}`, isPrivate: url.protocol === "https:" || isLoopback(url.hostname) };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
}
