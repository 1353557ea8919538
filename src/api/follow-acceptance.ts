import type { Finishing } from "../session/finishing/open-finishing.js";
import type { Parts } from "./parts.js";

/** What waited for a person's yes to the folder is released by it, room by room. */
export function followAcceptance(
  {
    context,
    folder,
    place,
    acceptance,
    watched,
  }: Pick<Parts, "context" | "folder" | "place" | "acceptance" | "watched">,
  { catchUpAgain }: Pick<Finishing, "catchUpAgain">,
): void {
  acceptance.follow(async (accepted) => {
    const settings = await import("../project/settings/effective-settings.js");
    const values = accepted ? await settings.readProjectValues(place) : {};
    if (accepted && Object.keys(values).length === 0) return;
    await context.store.write(async (writer) =>
      accepted ? settings.acceptSettings(writer, folder, values) : settings.dropSettings(writer, folder),
    );
  });
  acceptance.follow(async (accepted) =>
    (await import("../exchange/project-files/learn-project.js")).settleTrust(context, accepted),
  );
  // Memories that waited only because nobody had accepted the clone.
  acceptance.follow(async (accepted) => {
    const { releaseHeld } = await import("../observer/promotion/promotion.js");
    if (accepted) await releaseHeld(context, folder.root, watched.mayHaveMerged).catch(() => 0);
  });
  // Sessions that were noted while the folder waited.
  acceptance.follow(async (accepted) => accepted && catchUpAgain());
}
