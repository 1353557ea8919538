import { expect, it } from "vitest";
import { injectionPorts } from "../../../test/support/injection-ports.js";
import { projectContext } from "../../../test/support/keep-records.js";
import { native } from "../../methodology/native.js";
import { inject } from "../inject.js";
import { noteWorkState } from "./note-work-state.js";
import { findWorkState, saveWorkState } from "./work-state.js";

it("keeps a session that has asked where the work stands from being told once more", async () => {
  const ports = injectionPorts(await projectContext());
  await saveWorkState(ports.context, { state: { left: ["Finish the zebra"] }, methodology: native });
  const found = await findWorkState(ports.context, {}, { methodology: native });
  const start = async (sessionId: string) =>
    (await inject(ports, { point: "session-start", sessionId }, { deadlineMs: 30_000 })).memories.length;

  if (found) await noteWorkState(ports, found, "asked");

  expect([found?.text.includes("zebra"), await start("asked"), await start("other")]).toEqual([true, 0, 1]);
});
