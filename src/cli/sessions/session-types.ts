import type { SessionType } from "../../index.js";

const names: Record<SessionType, true> = {
  build: true,
  pr_review: true,
  insights: true,
  roadmap: true,
  terminal: true,
  spec: true,
  changelog: true,
};

/** What kinds of sessions there are. A list of its own, since help and hooks must load nothing of the rooms for it. */
export const sessionTypeNames = Object.keys(names) as SessionType[];
