import { expect, it } from "vitest";
import { buildConceptLayer } from "./concept-layer.js";
import { touching } from "./touching.js";

it("[G36] concerns the same, what is around it and what is in it, and nothing beside it", () => {
  const isTouching = touching(["src/a/x.ts#Store.read", "lib/y.ts"]);

  const places = [
    "src/a/x.ts#Store.read",
    "src/a/x.ts#Store",
    "src/a/x.ts#Store.read.inner",
    "src/a/x.ts",
    "src/a",
    "src",
  ];
  expect([...places, "lib/y.ts#open", "lib"].filter((place) => !isTouching(place))).toEqual([]);
  const beside = ["src/a/x.ts#Stor", "src/a/x.ts#Store.readAll", "src/a/x.ts#write", "src/b", "sr", "src/a#x", "lib/y"];
  expect(beside.filter(isTouching)).toEqual([]);
});

it("[G36] is found among many in time: a thousand decisions about folders, 5,000 files, 50,000 symbols", () => {
  const concepts = Array.from({ length: 1000 }, (_, at) => ({
    id: `decision:d${at}`,
    kind: "decision" as const,
    name: `d${at}`,
    places: [{ node: `src/m${at}`, kind: "documents" as const, source: "person" as const, confidence: 1 }],
  }));
  const files = Array.from({ length: 5000 }, (_, at) => `src/m${at % 1000}/f${at}.ts`);
  const symbols = files.flatMap((file) => Array.from({ length: 10 }, (_, at) => `${file}#s${at}`));
  const begun = performance.now();

  const isTouching = touching(files);
  const touched = concepts.filter(({ places }) => places.some(({ node }) => isTouching(node)));
  const { edges } = buildConceptLayer(concepts, new Set([...files, ...symbols]), undefined);

  expect([touched.length, edges.length]).toEqual([1000, 5000]);
  // Each with each they take 15 s.
  expect(performance.now() - begun).toBeLessThan(3000);
});
