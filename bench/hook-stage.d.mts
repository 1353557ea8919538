export interface HookRun {
  /** Null where it was killed. */
  code: number | null;
  ms: number;
  stdout: string;
  stderr: string;
}

export interface HookOptions {
  args?: string[];
  under?: string;
  keepOpen?: boolean;
  killAfterMs?: number;
  env?: Record<string, string>;
}

export interface HookHome {
  home: string;
  root: string;
  db: string;
  run: (input: string, options?: HookOptions) => Promise<HookRun>;
}

export interface HookStage {
  root: string;
  openHome: (name: string) => Promise<HookHome>;
  /** Processes that learn from its ended sessions now. */
  finishers: () => string[];
  remove: () => void;
}

export function stageHooks(size?: { memories?: number; noted?: number; others?: number }): Promise<HookStage>;

export function hookInputs(root: string): Record<string, (id: string) => string>;

/** Runs a program with something on its input, and says what came of it. */
export function timeProgram(executable: string, words: string[], options?: object): Promise<HookRun>;
