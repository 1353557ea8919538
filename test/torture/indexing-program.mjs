// Indexes a folder again and again, says how far it is, and ends when it has done so as often as it was told.
import { describeError, say, settings } from "./speak.mjs";

const { openMemory } = await import(settings.library);
const memory = await openMemory({ db: settings.db, project: "p", directory: settings.directory });
try {
  say({ ready: true });
  for (let round = 0; round < (settings.rounds ?? 1); round += 1) {
    const { changed, removed, linked, isComplete } = await memory.index({
      onProgress: (progress) => say({ progress }),
      ...(settings.threads && { threads: settings.threads }),
    });
    say({ report: { changed, removed, linked, isComplete } });
  }
} catch (error) {
  say({ error: describeError(error) });
} finally {
  await memory.close();
}
