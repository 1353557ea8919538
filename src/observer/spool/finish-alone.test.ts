import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { finishAlone, mayStartFinisher } from "./finish-alone.js";

it("does it once at a time, leaves at once where somebody is at it, and looks again for whoever left", async () => {
  const place = placeIn(temporaryFolder());
  let open = () => {};
  const looks: number[] = [];
  const running = finishAlone(place, async () => {
    looks.push(Date.now());
    if (looks.length === 1) await new Promise<void>((done) => (open = done));
  });

  const others = await Promise.all(Array.from({ length: 5 }, () => finishAlone(place, never)));
  const elsewhere = await finishAlone({ ...place, root: "/other" }, async () => undefined);
  open();

  expect(others).toEqual([false, false, false, false, false]);
  expect(elsewhere).toBe(true);
  expect(await running).toBe(true);
  expect(looks).toHaveLength(2);
  expect(readdirSync(place.home)).toEqual([]);
});

it("takes the place of one that was killed, and leaves nothing behind when the work fails", async () => {
  const place = placeIn(temporaryFolder());
  let name = "";
  await finishAlone(place, async () => (name = readdirSync(place.home).join()));
  writeFileSync(join(place.home, name), "4194303-1");

  await expect(finishAlone(place, never)).rejects.toThrow("must not run");
  expect(await finishAlone(place, async () => undefined)).toBe(true);
  expect(readdirSync(place.home)).toEqual([]);
});

it("lets one process be started for all that end at once, and the next when that one looks or never came", async () => {
  const place = placeIn(temporaryFolder());

  const atOnce = [mayStartFinisher(place), mayStartFinisher(place), mayStartFinisher({ ...place, root: "/other" })];
  let whileItLooks = false;
  await finishAlone(place, async () => (whileItLooks = mayStartFinisher(place)));
  const afterwards = mayStartFinisher(place);
  for (const name of readdirSync(place.home)) utimesSync(join(place.home, name), 1, 1);

  expect(atOnce).toEqual([true, false, true]);
  expect(whileItLooks).toBe(true);
  expect(afterwards).toBe(false);
  expect(mayStartFinisher(place)).toBe(true);
});

function placeIn(home: string) {
  return { home, db: "/memory.db", root: "/project" };
}

async function never(): Promise<never> {
  throw new Error("must not run");
}
