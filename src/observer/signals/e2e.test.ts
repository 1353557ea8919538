import { describe, expect, it } from "vitest";
import { learned, seenIn } from "../../../test/support/acts.js";
import type { Action } from "../scratchpad/session-view.js";
import { e2e } from "./e2e.js";

describe("tools of a browser", () => {
  it("tell that something takes a while, where waiting alone made it work", () => {
    const draft = learned(e2e, [[goes("localhost:3000/cart"), fails("Pay"), waits(), clicks("Pay")]]);

    expect(draft).toMatchObject({
      type: "e2e_observation",
      source: "mcp_auto",
      data: { observationType: "timing", page: "localhost:3000/cart" },
      content:
        "On `localhost:3000/cart`, to click `Pay` takes a wait before: `click_by_text` failed with " +
        "`TimeoutError: not visible` and worked after `browser_wait_for`.",
    });
  });

  it("tell what has to be done first, where another step made it work", () => {
    expect(learned(e2e, [[fails("Pay"), looks(), clicks("Accept"), clicks("Pay")]])).toMatchObject({
      data: { observationType: "precondition", steps: ["click `Accept`"] },
      content: expect.stringMatching(/^To click `Pay`, first click `Accept`: before that/) as string,
    });
  });

  it("tell the way, where it takes more steps", () => {
    const steps = [fails("Pay"), goes("localhost/cart"), fills("Name"), clicks("Next"), clicks("Pay")];

    expect(learned(e2e, [steps])).toMatchObject({
      data: { observationType: "test_sequence", steps: ["open `localhost/cart`", "fill `Name`", "click `Next`"] },
    });
  });

  it("tell what does not react to one of them, where it failed twice and another one worked", () => {
    expect(learned(e2e, [[fails("Pay"), looks(), fails("Pay"), evaluates()]])).toMatchObject({
      data: { observationType: "ui_behavior" },
      content: expect.stringMatching(/what worked was to use `browser_evaluate`\.$/) as string,
    });
  });

  it("tell what one of them itself refuses, where it worked later or refused again", () => {
    const refuses = fails("Pay", "Error: Ref e12 not found in the current page snapshot");

    expect(learned(e2e, [[refuses, looks(), clicks("Other")]])).toMatchObject({
      data: { observationType: "mcp_gotcha" },
      content: expect.stringMatching(/; it worked after `get_page_structure`\.$/) as string,
    });
    expect(seenIn(e2e, [refuses, refuses])).toHaveLength(1);
    expect(seenIn(e2e, [refuses])).toEqual([]);
  });

  it.each([
    ["everything works", [goes("localhost/"), looks(), clicks("Pay"), fills("Name"), clicks("Next")]],
    ["it fails and is left alone", [fails("Pay"), looks()]],
    ["it works when it is tried again at once", [fails("Pay"), clicks("Pay")]],
    ["a person said no", [{ ...clicks("Pay"), failed: true }, waits(), clicks("Pay")]],
    ["no browser is involved", [{ ...fails("Pay"), tool: "Bash" }, waits(), { ...clicks("Pay"), tool: "Bash" }]],
  ])("tell nothing where %s", (_, actions) => {
    expect(seenIn(e2e, actions)).toEqual([]);
  });
});

function clicks(on: string): Partial<Action> {
  return { tool: "mcp__shop__click_by_text", does: "other", on, bytes: 20 };
}

function fails(on: string, message = "TimeoutError: not visible"): Partial<Action> {
  return { ...clicks(on), failed: true, error: { fingerprint: message, message, kind: "TimeoutError" } };
}

function fills(on: string): Partial<Action> {
  return { tool: "fill_input", does: "other", on, bytes: 20 };
}

function goes(url: string): Partial<Action> {
  return { tool: "mcp__playwright__browser_navigate", does: "fetch", url, bytes: 900 };
}

function waits(): Partial<Action> {
  return { tool: "mcp__playwright__browser_wait_for", does: "fetch", bytes: 20 };
}

function looks(): Partial<Action> {
  return { tool: "get_page_structure", does: "other", bytes: 4000 };
}

function evaluates(): Partial<Action> {
  return { tool: "browser_evaluate", does: "fetch", bytes: 20 };
}
