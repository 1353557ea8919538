/** What a tool does, whatever its agent calls it. */
export type Deed = "read" | "edit" | "search" | "run" | "fetch" | "other";

/** A call of a tool, as far as it tells what was done. */
export interface Call {
  tool: string;
  does: Deed;
  /** Relative to the root with slashes; absolute where they lie outside of it. */
  files?: string[];
  /** Of a command: what it shows besides, such as `docs/*.md` and, of a folder that it searches, `docs/`. */
  shows?: string[];
  /** Of a command: what it makes the files of that it writes. */
  copies?: string[];
  /** Those of its files that it writes as a whole, where the text itself is not given. */
  makes?: string[];
  edit?: EditMarks;
  search?: { pattern: string; where?: string; by: "text" | "name" };
  command?: Command;
  /** Of what was fetched: host and path, nothing behind a question mark. */
  url?: string;
  /** Of a tool that works a browser: what it works on, as the agent calls it; never what it types there. */
  on?: string;
  /** Of a command: the scripts that it runs. They decide whose words its answer is. */
  runs?: string[];
  /** Of a command: the manifests that say what it runs; with a bar between them one is enough. */
  ruledBy?: string[];
  /** Of a command: the programs that it builds from the project's code, and the repositories that it makes. */
  builds?: string[];
  /** Where the answer comes from outside, as far as the call tells. */
  outside?: UntrustedSource;
  /** The adapter knows it to be a tool of Tacit, not by its name. */
  own?: true;
  /** Of a command: all that it does is to have one of Tacit's own show memories. */
  asksTacit?: true;
  /** Of a call that asks Tacit to remember something: the mark of its text. */
  remembers?: string;
  /** It asks Tacit to take something for checked by a person. */
  vouches?: true;
  /** It asks for work to be merged or pushed into a branch of others, now or once its checks have passed. */
  merges?: true;
}

/** What an edit replaced, as marks: enough to see that it was taken back. */
export interface EditMarks {
  pairs: [before: string, after: string][];
  /** The mark of the whole new text, where the tool gives it. */
  whole?: string;
  /** How many lines it wrote. */
  lines: number;
}

export interface Command {
  /** As it was given, secrets redacted, at most 300 characters. */
  line: string;
  /** The program and what it is told to do, without options and files: `npm test`, `git checkout`, `pytest`. */
  name: string;
  purpose: "test" | "build" | "check" | "install" | "version-control" | "network" | "look" | "other";
  /** The tests or folders of tests that it names. */
  targets?: string[];
  /** Files that it takes back to what git has: `git checkout -- a.ts`; `["."]` for all. */
  restores?: string[];
  background?: true;
}

export interface Result {
  failed?: boolean;
  /** Of a command that was sent to the background: what came of it is not known yet. */
  pending?: true;
  error?: ErrorSeen;
  /** How long its text is. */
  bytes: number;
  /** Of a search: how many lines or files it found. */
  found?: number;
  /** Of a search through a folder: files that it shows lines of, at most 50. */
  names?: string[];
  /** Of a file that was read: what it says it imports, as written. */
  imports?: string[];
  /** Of a run of tests: how many passed and failed, where it says so. */
  tests?: { passed: number; failed: number };
  /** Marks of sentences in it that tell an assistant what to do. */
  instructions?: string[];
  durationMs?: number;
  outside?: UntrustedSource;
  /** It shows values alone: nothing, numbers, paths, addresses, states. */
  wordless?: true;
  /** It is what a command of Tacit's printed, which has noted that nothing in it waits. */
  isTrusted?: true;
  /** Of a tool with the name of one of Tacit's: the mark of its text, by which our server knows its own answers. */
  answer?: string;
}

/** An error as it is recognised in another session: numbers, paths and quoted values taken out. */
export interface ErrorSeen {
  fingerprint: string;
  /** Its line, at most 200 characters, secrets redacted; only where it has the shape of an error. */
  message: string;
  /** `TypeError`, `TS2345`, `ENOENT`, `exit 1`. */
  kind: string;
  /** The file that it points to, if it does. */
  file?: string;
  /** Where it was thrown: the first file that it names, of whoever that is. Decides whether its text is shown. */
  frame?: string;
  /** Its text is ours: tools of agents refuse in words that we chose. */
  isOurs?: true;
  /** Of one whose text is withheld: a mark of that text. */
  words?: string;
}

/** Content that did not come from the project. */
export interface UntrustedSource {
  from:
    | "web"
    | "mcp"
    | "network"
    | "download"
    | "command"
    | "file"
    | "untracked"
    | "written"
    | "waiting"
    | "instruction"
    | "clone"
    | "others"
    | "made-up"
    | "unwatched";
  /** Host, server, program or path. */
  what: string;
}
