const styles = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] };

export type Style = keyof typeof styles;

/** What text is laid out on: how wide it is, whether it takes colour, and what makes foreign text safe to print. */
export interface Page {
  /** In columns; Infinity where nothing needs to fit, such as a file. */
  width: number;
  paint(style: Style, text: string): string;
  /** Takes the power out of control characters. Everything that comes out of a memory goes through it. */
  clean(text: string): string;
  now: Date;
}

export interface PageOptions {
  stream: { isTTY?: boolean; columns?: number };
  env: NodeJS.ProcessEnv;
  clean: (text: string) => string;
  now: Date;
}

/** The page behind a stream. Colours only on a terminal, unless the environment says otherwise. */
export function openPage({ stream, env, clean, now }: PageOptions): Page {
  const coloured = takesColour(stream, env);
  const columns = stream.isTTY ? stream.columns : Number(env["COLUMNS"]);
  return {
    width: columns ? Math.max(columns, 40) : Number.POSITIVE_INFINITY,
    paint: (style, text) => (coloured && text ? `\u001B[${styles[style][0]}m${text}\u001B[${styles[style][1]}m` : text),
    clean,
    now,
  };
}

/** FORCE_COLOR beats NO_COLOR, as in Node itself. */
export function takesColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  return stream.isTTY === true;
}
