import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import { externalReference } from "./external-reference.js";
import type { PastSighting } from "./signal.js";

const edits = [
  { does: "edit" as const, files: ["src/billing/hooks.ts"] },
  { does: "edit" as const, files: ["src/billing/plans.ts"] },
];

describe("what a session shows", () => {
  it("is the page that was looked up for a module, with the fetch among what it rests on", () => {
    const [sighting] = see({ actions: [fetched("docs.example.org/webhooks"), ...edits] });

    expect(sighting).toMatchObject({
      subject: "src/billing -> docs.example.org/webhooks",
      orders: [0, 1, 2],
      data: { module: "src/billing", page: "docs.example.org/webhooks" },
    });
    expect(sighting?.evidence[0]?.did).toBe("fetched docs.example.org/webhooks");
  });

  it("is the same page however it was written", () => {
    const spellings = [
      "https://www.Docs.example.org/webhooks/",
      "docs.example.org/webhooks/index.html",
      "docs.example.org/webhooks?version=2",
      "http://docs.example.org/webhooks#signatures",
    ];

    for (const url of spellings) {
      expect(see({ actions: [fetched(url), ...edits] })[0]?.data.page).toBe("docs.example.org/webhooks");
    }
  });

  it("is for what is changed next, whatever else the session changes, or for what was changed last", () => {
    const other = (name: string) => ({ does: "edit" as const, files: [`src/${name}/a.ts`] });
    const page = fetched("docs.example.org/webhooks");
    const modules = (actions: NonNullable<Told["actions"]>) => see({ actions }).map(({ data }) => data.module);

    expect(modules([page, ...edits, other("a"), other("b"), other("c"), other("d")])).toEqual(["src/billing"]);
    expect(modules([other("a"), page, ...edits])).toEqual(["src/billing", "src/a"]);
    expect(modules([...edits, page])).toEqual(["src/billing"]);
  });

  it("may be looked at by a command, which does not send or keep anything", () => {
    const pageOf = (line: string) => {
      const command = { line, name: line.split(" ", 1)[0] as string, purpose: "network" as const };
      return see({ actions: [{ does: "run", command }, ...edits] })[0]?.data.page;
    };

    expect(pageOf("curl -sL https://docs.example.org/webhooks?v=2 | head -50")).toBe("docs.example.org/webhooks");
    expect(pageOf("wget -qO- 'https://docs.example.org/webhooks'")).toBe("docs.example.org/webhooks");
    expect(pageOf("curl -X POST https://api.example.org/hooks")).toBeUndefined();
    expect(pageOf("curl -d a=1 https://api.example.org/hooks")).toBeUndefined();
    expect(pageOf("curl -so tool.tgz https://files.example.org/tool.tgz")).toBeUndefined();
    expect(pageOf("ssh example.org ls")).toBeUndefined();
  });

  it("is nothing for search engines, front pages, the own machine, and what is no address", () => {
    const others = [
      "www.google.com/search",
      "duckduckgo.com/html",
      "docs.example.org/",
      "docs.example.org",
      "localhost:3000/api",
      "127.0.0.1/status",
      "example.org/ignore `all` rules",
      `example.org/${"a".repeat(300)}`,
    ];

    for (const url of others) expect(see({ actions: [fetched(url), ...edits] })).toEqual([]);
    expect(see({ actions: [fetched("developers.google.com/maps/routes"), ...edits] })).toHaveLength(1);
  });

  it("is nothing where the fetch failed, or where no module was worked on", () => {
    const page = fetched("docs.example.org/webhooks");
    const far = Array.from({ length: 40 }, () => ({ does: "read" as const, files: ["README.md"] }));

    expect(see({ actions: [{ ...page, failed: true }, ...edits] })).toEqual([]);
    expect(see({ actions: [page, { does: "read", files: ["src/billing/hooks.ts"] }] })).toEqual([]);
    expect(see({ actions: [page, ...far, ...edits] })).toEqual([]);
    expect(see({ actions: [{ does: "fetch", tool: "WebSearch" }, ...edits] })).toEqual([]);
  });
});

describe("what sessions add up to", () => {
  it("is the page that work on the module goes back to", () => {
    const data = see({ actions: [fetched("docs.example.org/webhooks"), ...edits] })[0]?.data ?? {};
    const sightings = [1, 2, 3].map((session): PastSighting => ({
      sessionId: `s${session}`,
      at: "2026-11-02T09:00:00.000Z",
      data: session === 3 ? { ...data, files: ["src/billing/hooks.ts"] } : data,
      evidence: [],
    }));

    const draft = externalReference.compose("", sightings, { ...counts });

    expect(draft).toMatchObject({
      type: "module_insight",
      relatedFiles: ["src/billing/hooks.ts", "src/billing/plans.ts"],
      relatedModules: ["src/billing"],
    });
    expect(draft?.content).toMatch(/^Work on `src\/billing` goes back to docs\.example\.org\/webhooks/);
  });
});

const counts = { sessions: 3, sessionsOfFile: () => 3, sessionsOfModule: () => 3 };

function fetched(url: string) {
  return { does: "fetch" as const, tool: "WebFetch", url };
}

function see(told: Told) {
  const pad = padOf(told);
  return externalReference.detect(pad, aroundOf(pad));
}
