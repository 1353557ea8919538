import { describe, expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import { looksAround, observedProject, wrapsUp, type ObservedProject } from "../support/observed-project.js";

const page = "https://docs.payments.example.org/api/refunds";

/** Work on billing, for which something is looked up. */
function looksUp(project: ObservedProject, round: number, url: string, failed = false): AgentSession {
  const name = ["invoice", "ledger", "price", "rates"][round % 4] as string;
  const session = looksAround(project.session(`Refunds and ${name}: do what the provider asks for.`), round);
  session.reads(`src/billing/${name}.ts`);
  if (round === 1) session.runs(`curl -sL "${url}" | head -80`, { text: "<h1>Refunds</h1>" });
  else
    session.fetches(url, {
      text: failed ? "Request failed with status code 404" : "# Refunds\n\nSend the charge.",
      failed,
    });
  session.edits(`src/billing/${name}.ts`, "export", `// ${round}\nexport`);
  for (const file of round % 4 === 2 ? ["src/ui/page.ts", "src/api/schema.ts"] : []) {
    session.reads(file).edits(file, "export", "// as well\nexport");
  }
  return wrapsUp(session, round);
}

describe("a page outside that work goes back to", () => {
  it("[O1] waits for a person after the third session, and speaks when accepted", async () => {
    const project = observedProject();
    await project.learn(looksUp(project, 0, page), looksUp(project, 1, `${page}/?lang=en#partial`));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(looksUp(project, 2, page));
    const question = "Where are refunds in src/billing documented?";
    const [waiting, ...others] = await project.allMemories();
    const before = await project.recallAnew(question);
    await project.tacit("review", "accept", waiting?.id ?? "");
    const [found] = await project.recallAnew(question);

    expect(others).toEqual([]);
    expect(waiting).toMatchObject({ status: "waiting", trustFlags: ["tainted"], review: { state: "pending" } });
    expect(waiting?.review.reason).toMatch(/docs\.payments\.example\.org/);
    expect(before).toEqual([]);
    expect(found).toMatchObject({
      id: waiting?.id,
      type: "module_insight",
      status: "active",
      userVerified: true,
      relatedModules: ["src/billing"],
      tags: ["reference"],
      data: { module: "src/billing", page: "docs.payments.example.org/api/refunds", sampleCount: 3 },
    });
    expect(found?.content).toMatch(
      /^Work on `src\/billing` goes back to docs\.payments\.example\.org\/api\/refunds: .+\.$/,
    );
    expect(found?.evidence).toMatchObject([{ signal: "external-reference", sessions: [{}, {}, {}] }]);
    expect(found?.evidence[0]?.sessions[0]?.outside).toMatch(/docs\.payments\.example\.org/);
    expect(found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did)).toEqual([
      "fetched docs.payments.example.org/api/refunds",
      "edited src/billing/invoice.ts",
    ]);
  });

  it("[O1] is none where every session looks up another one, or where the page is not there", async () => {
    const project = observedProject();
    for (let round = 0; round < 4; round += 1) await project.learn(looksUp(project, round, `${page}/${round}`));
    for (let round = 4; round < 8; round += 1) await project.learn(looksUp(project, round, `${page}/gone`, true));

    expect(await project.allSayings()).toEqual([]);
  });
});
