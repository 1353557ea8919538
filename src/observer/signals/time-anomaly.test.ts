import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import type { PastSighting } from "./signal.js";
import { timeAnomaly } from "./time-anomaly.js";

const quick = ["git status", "ls", "cat", "npm run lint"].map((name) => ran(name, 900));

describe("what a session shows", () => {
  it("is a command that takes far longer than its tool's others", () => {
    const [sighting, second] = see({ actions: [...quick, ran("npm run e2e", 240_000)] });

    expect(second).toBeUndefined();
    expect(sighting).toMatchObject({ subject: "npm run e2e", data: { command: "npm run e2e", typicalMs: 240_000 } });
    expect(sighting?.evidence[0]?.did).toBe("ran `npm run e2e`; it took 4 minutes");
  });

  it("is seen also where the slow command is what was run most", () => {
    const slow = Array.from({ length: 12 }, () => ran("npm run e2e", 200_000));

    expect(see({ actions: [...quick, ...slow] })).toHaveLength(1);
  });

  it("is a tool that takes long on one file", () => {
    const reads = ["a", "b", "c", "d"].map((name) => ({
      does: "read" as const,
      files: [`src/${name}.ts`],
      durationMs: 20,
    }));

    const [sighting] = see({ actions: [...reads, { does: "read", files: ["data/all.bin"], durationMs: 45_000 }] });

    expect(sighting).toMatchObject({ subject: "Tool data/all.bin", data: { tool: "Tool", file: "data/all.bin" } });
  });

  it("is nothing for one slow run among quick ones of the same command", () => {
    const runs = [ran("npm test", 2000), ran("npm test", 90_000), ran("npm test", 2100)];

    expect(see({ actions: [...quick, ...runs] })).toEqual([]);
  });

  it("is nothing where everything is slow, below half a minute, where nothing can be compared, or after a night", () => {
    const slow = ["a", "b", "c", "d"].map((name) => ran(name, 40_000));

    expect(see({ actions: [...slow, ran("npm test", 60_000)] })).toEqual([]);
    expect(see({ actions: [...quick, ran("npm test", 25_000)] })).toEqual([]);
    expect(see({ actions: [ran("git status", 900), ran("npm test", 60_000)] })).toEqual([]);
    expect(see({ actions: [...quick, ran("npm test", 9 * 60 * 60 * 1000)] })).toEqual([]);
  });

  it("is nothing for what waits by intention or for the network", () => {
    const network = { ...ran("curl", 60_000), command: { line: "curl x", name: "curl", purpose: "network" as const } };

    expect(see({ actions: [...quick, ran("sleep", 60_000), network] })).toEqual([]);
  });
});

describe("what a session shows of runs that were not what they should be", () => {
  it.each([
    "npm run dev",
    "npm start",
    "npm run start:web",
    "pnpm dev",
    "vite",
    "rails server",
    "docker compose up",
    "npm run build:watch",
  ])("is nothing for what stays until it is stopped: %s", (name) => {
    expect(see({ actions: [...quick, ran(name, 120_000)] })).toEqual([]);
  });

  it("is seen for what only has such a word in its name", () => {
    expect(see({ actions: [...quick, ran("npm run build:dev", 120_000)] })).toHaveLength(1);
    expect(see({ actions: [...quick, ran("npm run restart-devices", 120_000)] })).toHaveLength(1);
  });

  it("is nothing for runs that failed, were stopped, watch or went to the background", () => {
    const watch = ran("vitest", 120_000);
    const runs = [
      { ...ran("npm run e2e", 120_000), failed: true },
      { ...ran("npm run all", 120_000), pending: true as const },
      { ...watch, command: { ...watch.command, line: "vitest --watch src" } },
    ];

    expect(see({ actions: [...quick, ...runs] })).toEqual([]);
  });
});

describe("what sessions add up to", () => {
  it("is how long it takes", () => {
    expect(compose([230_000, 240_000, 260_000])).toMatchObject({
      type: "gotcha",
      content: "`npm run e2e` takes about 4 minutes.",
      data: { command: "npm run e2e", typicalMs: 240_000, sampleCount: 3 },
    });
  });

  it("is said in the unit that people would use", () => {
    expect(compose([31_000, 31_000, 31_000])?.content).toContain("about 30 seconds");
    expect(compose([62_000, 62_000, 62_000])?.content).toContain("about a minute");
    expect(compose([95_000, 95_000, 95_000])?.content).toContain("about 1.5 minutes");
  });

  it("is nothing where the times have nothing in common, as when somebody was asked first", () => {
    expect(compose([31_000, 900_000, 40_000])).toBeUndefined();
  });
});

function ran(name: string, durationMs: number) {
  return { does: "run" as const, tool: "Bash", durationMs, command: { line: name, name, purpose: "other" as const } };
}

function see(told: Told) {
  const pad = padOf(told);
  return timeAnomaly.detect(pad, aroundOf(pad));
}

function compose(times: number[]) {
  const sightings = times.map((ms, index): PastSighting => ({
    sessionId: `s${index}`,
    at: "2026-11-02T09:00:00.000Z",
    data: see({ actions: [...quick, ran("npm run e2e", ms)] })[0]?.data ?? {},
    evidence: [],
  }));
  return timeAnomaly.compose("npm run e2e", sightings, {
    sessions: 3,
    sessionsOfFile: () => 0,
    sessionsOfModule: () => 0,
  });
}
