import type { EvidenceItem } from "../observer.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasPassed } from "./action-evidence.js";
import { median } from "./median.js";
import { textOf } from "./past-data.js";
import { numbersOf } from "./past-numbers.js";
import { isProjectFile } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code } from "./wording.js";

// Ten times what its tool usually takes, and long enough to plan for. Chosen, not measured.
const leastRatio = 10;
const leastMs = 30_000;
// A machine that slept in between, or a person who did not answer.
const maxMs = 2 * 60 * 60 * 1000;
const leastOthers = 4;
// How far sessions may lie apart: waiting for a person takes any time, a command about the same. Not measured.
const maxSpread = 4;

/**
 * A command, or a tool on a file, takes far longer than others, in every session about as long. One slow run among quick
 * ones of the same command, what is meant to wait (`sleep`) or to stay (a server), what the network decides, runs that
 * failed or were stopped, and times that have nothing in common from session to session show nothing.
 */
export const timeAnomaly: Signal = {
  name: "time-anomaly",
  wording: { by: "command" },
  diagnostic: 0.4,
  crossSession: 0.5,
  falsePositives: 0.35,
  promotesTo: ["gotcha"],
  sessions: 3,
  detect,
  compose,
};

function detect({ actions }: Scratchpad): Sighting[] {
  const deeds = listDeeds(actions);
  const usualOfTool = usualByTool(deeds);
  const usual = median(deeds.map(({ typicalMs }) => typicalMs)) ?? 0;
  return deeds.flatMap((deed) => {
    const { subject, tool, typicalMs, done } = deed;
    const ofTool = usualOfTool.get(tool) ?? (deeds.length > leastOthers ? usual : undefined);
    if (ofTool === undefined || typicalMs < leastMs || typicalMs < leastRatio * ofTool) return [];
    const { command, files } = done[0] as Action;
    return [
      {
        signal: "time-anomaly",
        subject,
        orders: done.map(({ order }) => order),
        data: {
          typicalMs: Math.round(typicalMs),
          ...(command ? { command: command.name } : { tool, file: files?.[0] ?? "" }),
        },
        evidence: done.slice(0, 10).flatMap((action) => evidenceWithTime(action)),
      },
    ];
  });
}

function evidenceWithTime(action: Action): EvidenceItem[] {
  return evidenceOf([action]).map((item) => ({
    ...item,
    did: `${item.did}; it took ${inWords(durationOf(action) ?? 0)}`,
  }));
}

/** The same thing done once or several times. */
interface SameDeed {
  subject: string;
  tool: string;
  typicalMs: number;
  done: Action[];
}

function listDeeds(actions: readonly Action[]): SameDeed[] {
  const bySubject = new Map<string, { tool: string; done: Action[] }>();
  for (const action of actions) {
    const subject = subjectOf(action);
    const ms = durationOf(action);
    if (subject === undefined || ms === undefined || ms > maxMs || !hasPassed(action)) continue;
    const same = bySubject.get(subject) ?? { tool: action.tool, done: [] };
    bySubject.set(subject, same);
    same.done.push(action);
  }
  return [...bySubject].map(([subject, { tool, done }]) => ({
    subject,
    tool,
    done,
    typicalMs: median(done.map((action) => durationOf(action) ?? 0)) ?? 0,
  }));
}

function subjectOf({ does, tool, command, files = [] }: Action): string | undefined {
  if (command) {
    const isWaiting = command.purpose === "network" || does === "fetch" || waiting.test(command.name);
    const isStaying = staying.test(command.name) || watching.test(command.line);
    return isWaiting || isStaying || command.name === "" ? undefined : command.name;
  }
  const [file] = files;
  return files.length === 1 && file !== undefined && isProjectFile(file) ? `${tool} ${file}` : undefined;
}

const waiting = /^(?:sleep|wait|watch|tail|timeout|top|less|more|read)\b/;
/** Servers and the like, which run until somebody stops them. */
const staying =
  /(?:^| )(?:dev|start|serve|server|watch|preview|storybook|runserver)(?:[ :]|$)|:(?:watch|serve)\b|^(?:vite|nodemon|uvicorn|gunicorn|http-server|live-server|flask run|docker(?: |-)compose up)$/;
const watching = /\s--watch(?![\w=-])/;

/** What the agent measured; else the time until the result came, which holds a person's answer too where one was asked. */
function durationOf({ durationMs, at, endedAt }: Action): number | undefined {
  const ms = durationMs ?? (endedAt === undefined ? undefined : endedAt - at);
  return ms !== undefined && ms >= 0 ? ms : undefined;
}

/** What each tool usually takes, every different thing counted once: the slow one may be what is done most. */
function usualByTool(deeds: readonly SameDeed[]): Map<string, number> {
  const byTool = new Map<string, number[]>();
  for (const { tool, typicalMs } of deeds) {
    const times = byTool.get(tool) ?? [];
    byTool.set(tool, times);
    times.push(typicalMs);
  }
  return new Map(
    [...byTool].flatMap(([tool, times]) => (times.length > leastOthers ? [[tool, median(times) ?? 0] as const] : [])),
  );
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const times = numbersOf(sightings, "typicalMs");
  const typicalMs = median(times);
  const [command, tool, file] = ["command", "tool", "file"].map((name) => sightings[0] && textOf(sightings[0], name));
  const what = command ? code(command) : tool && file ? `${tool} on ${code(file)}` : undefined;
  if (typicalMs === undefined || what === undefined) return undefined;
  if (Math.max(...times) > maxSpread * Math.min(...times)) return undefined;
  return {
    type: "gotcha",
    content: `${what} takes about ${inWords(typicalMs)}.`,
    data: { ...(command ? { command } : { tool: tool ?? "", file: file ?? "" }), typicalMs, sampleCount: times.length },
    relatedFiles: file ? [file] : [],
  };
}

function inWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 50) return `${Math.round(seconds / 5) * 5} seconds`;
  if (seconds < 80) return "a minute";
  const minutes = seconds < 240 ? Math.round(seconds / 30) / 2 : Math.round(seconds / 60);
  return `${minutes} minutes`;
}
