import { expect, it } from "vitest";
import { askAboutMissing } from "./ask-about-missing.js";
import { openPage } from "../terminal/page.js";

const missing = [
  { file: ".tacit/memories/port-1a2b3c4d.md", id: "01a1e646-58c2-71bc-8b71-00001a2b3c4d" },
  { file: ".tacit/memories/tabs-5e6f7a8b.md", id: "01a1e646-58c2-71bc-8b71-00005e6f7a8b" },
];

it("[E14] asks on a terminal whether to forget or to write again, and Enter alone forgets nothing", async () => {
  const asked: { question: string; shows?: string; byDefault?: boolean }[] = [];
  const answering = (...answers: (boolean | undefined)[]) => ({
    page: openPage({ stream: {}, env: {}, clean: (text) => text, now: new Date() }),
    yesNo: async (question: string, options?: { shows?: string; byDefault?: boolean }) => {
      asked.push({ question, ...options });
      return answers.shift();
    },
    which: async () => undefined,
  });

  expect(await askAboutMissing(missing, answering(true))).toBe("forget");
  expect(await askAboutMissing(missing, answering(false, true))).toBe("restore");
  expect(await askAboutMissing(missing, answering(false, false))).toBeUndefined();
  expect(await askAboutMissing(missing, answering(undefined))).toBeUndefined();
  expect(await askAboutMissing(missing, answering(false, undefined))).toBeUndefined();

  expect(asked.slice(1, 3)).toEqual([
    {
      question:
        "These shared files are missing, and no commit since their last change removes them. Forget their memories?",
      shows: ".tacit/memories/port-1a2b3c4d.md (1a2b3c4d)\n.tacit/memories/tabs-5e6f7a8b.md (5e6f7a8b)",
    },
    { question: "Write them again?", byDefault: true },
  ]);
});
