import { countChecks } from "../conversation/contradictions/contradictions.js";
import type { MemoryContext } from "../memory/change/change.js";
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Code } from "../code-memory/code-memory.js";
import { MemoryError } from "../base/memory-error.js";
import { readConfig, type ConfigPlace } from "../config/read-config.js";
import type { StoreEmbedding } from "../embedding/store-embedding.js";
import { countTexts, describeTexts } from "./describe-texts.js";
import type { Check, Diagnosis } from "./check.js";
import { checkHome } from "./check-home.js";
import { countInconsistentVectors } from "../embedding/vectors/vectors.js";
import { findDamagedTexts } from "../memory/damage/damage.js";
import { countMemories } from "../memory/read/read.js";
import { findProject } from "../project/project.js";
import { prune } from "../memory/retention/retention.js";
import { countOutOfStep } from "../memory/indexes/indexes.js";
import { describeLocation } from "../storage/connect.js";
import { eraseTraces } from "../storage/erasure.js";
import { findDamage } from "../storage/integrity.js";

/** Asks every room how it is. Never throws for what it finds: a store that cannot be opened is a finding. */
export async function diagnose(
  context: MemoryContext,
  place: ConfigPlace,
  remarks: () => Promise<string[]>,
  embedding: StoreEmbedding,
  code: Code,
): Promise<Diagnosis> {
  const checks: Check[] = [checkNode(process.versions.node), checkHome(place.home), await checkConfig(place)];
  const checkMeaning = async () => (await import("./check-models.js")).checkMeaning(context, embedding);
  const checkCode = async () => (await import("./check-code.js")).checkCode(code);
  const checkDrift = async () => (await import("./check-drift.js")).checkDrift(context);
  const checkIgnored = async () => (await import("./check-ignored.js")).checkIgnored(context);
  const checkSessions = async () => (await import("./check-sessions.js")).checkSessions(context, place.home);
  const checkInjection = async () => (await import("./check-injection.js")).checkInjection(context, place.home);
  const checkConversations = async () =>
    (await import("./check-conversations.js")).checkConversations(context, place.home);
  const checkAgents = async () => (await import("./check-agents.js")).checkAgents(place.home, context.now());
  const about = [
    checkStore,
    checkPages,
    checkTexts,
    checkIndexes,
    checkErasure,
    checkProject,
    checkUpkeep,
    checkMeaning,
    checkCode,
    checkDrift,
    checkIgnored,
    checkSessions,
    checkInjection,
    checkConversations,
    checkAgents,
  ];
  for (const check of about) {
    try {
      checks.push(await check(context));
    } catch (error) {
      checks.push(broken(check.name.replace("check", "").toLowerCase(), error));
      // What cannot be opened or read fails every further question in the same way.
      break;
    }
  }
  if (checks.every(({ status }) => status !== "broken")) {
    checks.push(...(await (await import("./check-models.js")).checkModels(context)).map(await withChecksDue(context)));
  }
  checks.push(...(await remarks()).map((message): Check => ({ name: "notice", status: "warning", message })));
  return { ok: checks.every(({ status }) => status !== "broken"), checks };
}

/** The language model's check also says how many new statements it is still to compare with older ones. */
async function withChecksDue({ store }: MemoryContext): Promise<(check: Check) => Check> {
  const due = await store.read(countChecks).catch(() => 0);
  const what = due === 1 ? "1 new statement is" : `${due} new statements are`;
  return (check) =>
    check.name !== "language model" || due === 0
      ? check
      : { ...check, message: `${check.message}; ${what} still to be compared with older ones, with the next change` };
}

async function checkConfig(place: ConfigPlace): Promise<Check> {
  try {
    const { settings, files } = await readConfig(place);
    const read = [files.user, files.project].filter((file) => file !== undefined);
    const off = settings.enabled ? "" : "; Tacit is switched off here";
    return { name: "config", status: "ok", message: `${read.length > 0 ? read.join(", ") : "nothing is set"}${off}` };
  } catch (error) {
    return broken("config", error);
  }
}

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? { name: "node", status: "ok", message: `Node ${version}` }
    : {
        name: "node",
        status: "warning",
        message: `Node ${version} is too old`,
        hint: "Tacit needs Node 20.19 or newer.",
      };
}

async function checkStore({ store }: MemoryContext): Promise<Check> {
  const name = "store";
  if (store.location.kind === "remote") {
    const memories = await store.read(async (reader) => countMemories(reader));
    const count = `${memories} ${memories === 1 ? "memory" : "memories"}`;
    return { name, status: "ok", message: `on the libSQL server ${describeLocation(store.location)}, ${count}` };
  }
  if (store.location.kind === "memory") return { name, status: "ok", message: "in memory only" };
  const { path } = store.location;
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) {
    const hint = "If it held memories before, put a back-up in its place; else the first memory fills it.";
    return { name, status: "warning", message: `${path} is an empty file`, hint };
  }
  if (!store.exists) {
    return { name, status: "ok", message: `${path} is not there yet; the first memory creates it` };
  }
  const memories = await store.read(async (reader) => countMemories(reader));
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
  } catch {
    return {
      name,
      status: "warning",
      message: `${path} cannot be written`,
      hint: "Check who owns the file and its folder.",
    };
  }
  const size = `${Math.ceil(statSync(path).size / 1024)} KiB`;
  return { name, status: "ok", message: `${path}, ${memories} ${memories === 1 ? "memory" : "memories"}, ${size}` };
}

async function checkPages({ store }: MemoryContext): Promise<Check> {
  const damage = await findDamage(store);
  if (damage.length === 0) return { name: "pages", status: "ok", message: "every page and link is sound" };
  return {
    name: "pages",
    status: "broken",
    message: `${damage.length} ${damage.length === 1 ? "finding" : "findings"}: ${damage[0] ?? ""}`,
    hint: "Keep a copy of the file, try `tacit doctor --repair`, or go back to a back-up.",
  };
}

async function checkTexts({ store }: MemoryContext): Promise<Check> {
  const name = "texts";
  if (store.location.kind === "remote") return { name, status: "ok", message: "the disk is the server's own" };
  const damaged = store.exists ? await store.snapshot(findDamagedTexts) : [];
  if (damaged.length === 0) return { name, status: "ok", message: "every text is as it was written" };
  return {
    name,
    status: "broken",
    message: `${countTexts(damaged)} damaged on the disk: ${describeTexts(damaged)}`,
    hint: "Keep a copy of the file. `tacit doctor --repair` quarantines the damaged bytes, keeps what is readable, and flags the memories.",
    damaged,
  };
}

async function checkIndexes({ store }: MemoryContext): Promise<Check> {
  const outOfStep = await store.snapshot(
    async (reader) => (await countOutOfStep(reader)) + (await countInconsistentVectors(reader)),
  );
  if (outOfStep === 0) return { name: "indexes", status: "ok", message: "in step with the memories" };
  return {
    name: "indexes",
    status: "broken",
    message: `the indexes do not show ${outOfStep === 1 ? "1 memory" : `${outOfStep} memories`} as they should`,
    hint: "`tacit doctor --repair` rebuilds the indexes; no memory is lost.",
  };
}

async function checkErasure({ store }: MemoryContext): Promise<Check> {
  const erasure = store.exists ? await eraseTraces(store) : "done";
  if (erasure === "done") return { name: "erasure", status: "ok", message: "nothing purged is left behind" };
  if (erasure === "server") {
    return {
      name: "erasure",
      status: "ok",
      message: "purged rows are gone; its log and back-ups are the server's own",
    };
  }
  return {
    name: "erasure",
    status: "warning",
    message: "purged text is still in the write-ahead log, because another process is reading",
    hint: "It is wiped when that process ends; run `tacit doctor` again then.",
  };
}

async function checkProject({ store, project: hint }: MemoryContext): Promise<Check> {
  const { project, notice } = await store.read(async (reader) => findProject(reader, hint));
  if (notice !== undefined) return { name: "project", status: "warning", message: notice };
  const name = "id" in hint ? hint.id : hint.folder.name;
  return {
    name: "project",
    status: "ok",
    message: project ? `${project.name} (${project.id})` : `${name}, no memories yet`,
  };
}

/** What pruning has before it: by itself once a day, except evicting, which only happens where it is told. */
async function checkUpkeep(context: MemoryContext): Promise<Check> {
  const { faded, evicted, purged } = await prune(context, { dryRun: true });
  const parts = [
    [faded.length, "to be let go"],
    [purged.length, "to be removed for good"],
    [evicted.length, "beyond maxEntries"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  const due = parts.length === 0 ? "nothing is due" : `${parts.join(", ")}; tacit prune --dry-run lists them`;
  return { name: "upkeep", status: "ok", message: due };
}

function broken(name: string, error: unknown): Check {
  if (error instanceof MemoryError && error.code === "store-damaged") {
    const hint = "Keep a copy of the file. `tacit doctor --repair` rebuilds indexes; anything else needs a back-up.";
    return { name, status: "broken", message: "the file is damaged: SQLite cannot read a part of it", hint };
  }
  if (error instanceof MemoryError) return { name, status: "broken", message: error.message, hint: error.hint };
  return { name, status: "broken", message: error instanceof Error ? error.message : String(error) };
}
