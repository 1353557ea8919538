import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deed } from "../observer.js";
import { browserDeed, deedOf } from "./tool-deeds.js";

describe("what a tool does", () => {
  it.each<[Deed, string]>([
    ["read", "Read NotebookRead read readFile read_file view view_image read_many_files"],
    ["edit", "Edit MultiEdit Write NotebookEdit edit write patch editFile apply_patch write_to_file replace_in_file"],
    ["search", "Grep Glob LS grep glob list search_files codebase_search list_directory search_file_content LSP"],
    ["run", "Bash BashOutput bash shell runCommand execute_command run_terminal_cmd exec_command code_execution"],
    ["fetch", "WebFetch WebSearch webfetch websearch fetch google_web_search codesearch ReadMcpResourceTool"],
    ["other", "Task Agent TodoWrite TodoRead todowrite ExitPlanMode AskUserQuestion Skill KillShell save_memory"],
  ])("knows what agents call it: %s", (deed, tools) => {
    for (const tool of tools.split(" ")) expect([tool, deedOf(tool, {})]).toEqual([tool, deed]);
  });

  it("tells an editor that does everything by its command", () => {
    const does = (command: unknown) => deedOf("str_replace_based_edit_tool", { command });

    expect(["view", "create", "str_replace", "insert", undefined].map(does)).toEqual([
      "read",
      "edit",
      "edit",
      "edit",
      "edit",
    ]);
    expect(deedOf("str_replace_editor", { command: "view" })).toBe("read");
  });

  it.each<[string, Deed]>([
    ["mcp__filesystem__read_text_file", "read"],
    ["mcp__filesystem__edit_file", "edit"],
    ["mcp__ripgrep__grep", "search"],
    ["mcp__shell__run_command", "run"],
    ["mcp__fetch__fetch", "fetch"],
    ["mcp__playwright__browser_navigate", "fetch"],
    ["mcp__notion__search", "other"],
    ["mcp__github__create_issue", "other"],
    ["mcp__tacit__recall", "other"],
    ["mcp__", "other"],
  ])("goes by the last part of a server's tool, where that is clear: %s", (tool, deed) => {
    expect(deedOf(tool, {})).toBe(deed);
  });

  it.each<[string, Deed]>([
    ["openWorkspaceFile", "read"],
    ["get-file-lines", "read"],
    ["smart_edit_files", "edit"],
    ["searchAndReplaceInFiles", "edit"],
    ["locate_symbol", "search"],
    ["runShellScript", "run"],
    ["crawl_site", "fetch"],
    ["update_todo_list", "other"],
    ["memory_search", "other"],
    ["createInvoice", "other"],
    ["getWeather", "other"],
  ])("guesses from the words of a name it does not know: %s", (tool, deed) => {
    expect(deedOf(tool, {})).toBe(deed);
  });

  it("takes names of objects for names of tools only where they are", () => {
    expect(["constructor", "__proto__", "toString", ""].map((tool) => deedOf(tool, {}))).toEqual(
      Array.from({ length: 4 }, () => "other"),
    );
  });

  it("never throws, whatever it is asked", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.anything()), fc.anything(), (tool, input) => {
        expect(["read", "edit", "search", "run", "fetch", "other"]).toContain(deedOf(tool as string, input as never));
      }),
    );
  });
});

describe("what a tool does in a browser", () => {
  it.each([
    [
      "act",
      "click_by_text fill_input mcp__x__click_by_text mcp__playwright__browser_type puppeteer_click browser_press_key",
    ],
    ["go", "browser_navigate mcp__chrome-devtools__navigate_page mcp__playwright__browser_navigate_back"],
    ["wait", "browser_wait_for mcp__chrome-devtools__wait_for"],
    ["look", "take_screenshot get_page_structure mcp__x__take_screenshot browser_snapshot browser_console_messages"],
    ["run", "eval mcp__electron__eval browser_evaluate mcp__chrome-devtools__evaluate_script"],
    [undefined, "Read Bash mcp__x__click WebFetch check_types mcp__github__get_issue press_release"],
  ])("is told by its name and its server's: %s", (deed, tools) => {
    for (const tool of tools.split(" ")) expect([tool, browserDeed(tool)]).toEqual([tool, deed]);
  });
});
