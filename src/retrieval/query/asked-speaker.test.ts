import { describe, expect, it } from "vitest";
import { asSpoken, findAskedSpeaker, speakerOf } from "./asked-speaker.js";

describe("the speaker of a turn", () => {
  it("[R10] is the one its metadata name, or the one its text begins with", () => {
    expect(speakerOf("conversation", "Ada Lovelace: yes, let us")).toBe("ada lovelace");
    expect(speakerOf("conversation", "Ada: yes", "Charles")).toBe("charles");
    expect(speakerOf("conversation", "Ada: yes", "  ")).toBe("ada");
    expect(speakerOf("conversation", "yes, let us")).toBeUndefined();
    expect(speakerOf("note", "Ada: yes")).toBeUndefined();
  });
});

describe("the speaker whom a question names", () => {
  const speakers = ["ada lovelace", "charles", undefined, "charles"];

  it.each([
    ["What did Ada build?", "ada lovelace"],
    ["what is Ada Lovelace's plan?", "ada lovelace"],
    ["Charles's engine", "charles"],
    ["¿Charles?", "charles"],
  ])("[R10] is found by the whole name or the first: %j", (question, expected) => {
    expect(findAskedSpeaker(question, speakers)).toBe(expected);
  });

  it("[R10] is never a part that everybody plays", () => {
    expect(findAskedSpeaker("How do I add a User to the database?", ["user", "assistant"])).toBeUndefined();
    expect(findAskedSpeaker("what will it cost to mark an error?", ["will", "mark", "error"])).toBeUndefined();
  });

  it.each(["What did they build?", "Did Ada help Charles?", "the adapter of Adam", "Lovelace alone"])(
    "[R10] is nobody in %j",
    (question) => {
      expect(findAskedSpeaker(question, speakers)).toBeUndefined();
    },
  );

  it("[R10] says of themselves what a question says of them", () => {
    expect(asSpoken("What is Ada's plan, and where did Ada go with Adam?", "ada lovelace")).toBe(
      "What is my plan, and where did I go with Adam?",
    );
    expect(asSpoken("Was sagte Ada dazu?", "ada")).toBe("Was sagte Ada dazu?");
    expect(asSpoken("What did Ada Lovelace say?", "ada lovelace")).toBe("What did I say?");
    expect(asSpoken("what does c.d. say (c.d.)?", "c.d.")).toBe("what does I say (I)?");
  });
});
