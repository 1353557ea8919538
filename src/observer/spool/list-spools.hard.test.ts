import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compiled, ended, startProgram } from "../../../test/support/child-process.js";
import { appendNotes } from "./append-notes.js";
import type { SpoolPlace } from "./spool-place.js";
import { prompt, end, newPlace } from "../../../test/support/spool-events.js";

describe("claiming a spool", () => {
  it("is for one of four processes", async () => {
    const place = newPlace();
    for (let round = 0; round < 5; round++) {
      await appendNotes(place, `s${round}`, undefined, [prompt, end]);
      const go = join(place.home, `go ${round}`);
      const program = claimingProgram(place, `s${round}`, go);
      const children = await Promise.all(Array.from({ length: 4 }, () => startProgram(program)));

      writeFileSync(go, "");
      const codes = await Promise.all(children.map(ended));

      expect(codes.filter((code) => code === 0)).toEqual([0]);
    }
  });
});

/** Ends with 0 where it won. */
function claimingProgram(place: SpoolPlace, sessionId: string, go: string): string {
  return `
    import { existsSync } from "node:fs";
    import { claimSpool, listSpools } from ${JSON.stringify(compiled("observer/spool/list-spools.js"))};
    const spools = await listSpools(${JSON.stringify(place.home)});
    const info = spools.find((one) => one.sessionId === ${JSON.stringify(sessionId)});
    console.log("listed");
    while (!existsSync(${JSON.stringify(go)}));
    process.exitCode = (await claimSpool(info)) ? 0 : 1;
  `;
}
