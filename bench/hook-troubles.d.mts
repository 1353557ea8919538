import type { HookHome, HookOptions } from "./hook-stage.mjs";

export interface Entered extends HookOptions {
  /** Changes what a hook is told. */
  input?: (text: string) => string;
  leave?: () => unknown;
}

export interface Trouble {
  name: string;
  skip?: string | undefined;
  isSilent?: boolean;
  keepsNotes?: boolean;
  /** Undefined where it cannot be had here. */
  enter: (home: HookHome) => Entered | undefined | Promise<Entered | undefined>;
}

export const troubles: readonly Trouble[];
