import { expect, it } from "vitest";
import { settleClaims } from "./settle-claims.js";

const rules = { keepsClaims: false, isByAgent: false, isOfPeople: false };

it("takes from a record what only a person can say of it", () => {
  const record = claiming();

  expect(settleClaims(record, rules)).toBe(true);
  expect(record).toMatchObject({ userVerified: false, pinned: false, source: "agent_explicit", name: "deploys" });
});

it("leaves what a person wants to be believed, and what people wrote", () => {
  const [believed, rule] = [claiming(), { ...claiming(), userVerified: false, pinned: false }];

  expect(settleClaims(believed, { ...rules, keepsClaims: true })).toBe(false);
  expect(settleClaims(rule, { ...rules, isOfPeople: true })).toBe(false);
  expect([believed.userVerified, rule.source]).toEqual([true, "user_taught"]);
});

it("makes what an agent brings the word of that agent, as far as that is trusted", () => {
  const [tainted, unwatched] = [claiming(), claiming()];

  settleClaims(tainted, { ...rules, isByAgent: true, isOfPeople: true, doubt: "It has read a page." });
  settleClaims(unwatched, { ...rules, isByAgent: true, unverified: "Nobody watches it." });

  expect(tainted).toMatchObject({ source: "agent_explicit", trustFlags: ["tainted"], review: { state: "pending" } });
  expect([tainted.name, tainted.sessionId, tainted.commit]).toEqual([undefined, undefined, undefined]);
  expect(unwatched).toMatchObject({
    source: "agent_explicit",
    trustFlags: ["unverified"],
    review: { state: "pending" },
  });
});

function claiming(): Parameters<typeof settleClaims>[0] {
  return {
    type: "note",
    sessionId: "s1",
    commit: "1a2b3c4",
    userVerified: true,
    pinned: true,
    source: "user_taught",
    trustFlags: [],
    review: { state: "none" },
    confidence: 1,
    name: "deploys",
    aliases: [],
    relations: [],
  };
}
