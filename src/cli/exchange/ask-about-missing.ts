import type { ShareOptions, ShareReport } from "../../index.js";
import type { Asking } from "../terminal/ask.js";
import { oneLine } from "../terminal/one-line.js";

/** Asks what becomes of memories whose shared files are missing; undefined where all stays as it is, as after Ctrl-C. */
export async function askAboutMissing(
  missing: ShareReport["missing"],
  asking: Asking,
): Promise<ShareOptions["missing"]> {
  const shows = missing.map(({ file, id }) => `${oneLine(file, asking.page)} (${id.slice(-8)})`).join("\n");
  const isOne = missing.length === 1;
  const question = isOne
    ? "This shared file is missing, and no commit since its last change removes it. Forget its memory?"
    : "These shared files are missing, and no commit since their last change removes them. Forget their memories?";
  const isForgotten = await asking.yesNo(question, { shows });
  if (isForgotten !== false) return isForgotten ? "forget" : undefined;
  const isRestored = await asking.yesNo(isOne ? "Write it again?" : "Write them again?", { byDefault: true });
  return isRestored ? "restore" : undefined;
}
