import type { HookHome, HookOptions } from "./hook-stage.mjs";

export interface Entered extends HookOptions {
  reason?: never;
  /** Changes what a hook is told. */
  input?: (text: string) => string;
  leave?: () => unknown;
}

/** Why a trouble cannot be had here. */
export interface NotHere {
  reason: string;
}

export interface Trouble {
  name: string;
  isSilent?: boolean;
  keepsNotes?: boolean;
  enter: (home: HookHome) => Entered | NotHere | Promise<Entered | NotHere>;
}

export const troubles: readonly Trouble[];
