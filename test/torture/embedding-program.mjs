// Embeds what is pending in a store, slowly, with a model of its own, and says how far it is.
import { createHash } from "node:crypto";
import { describeError, say, settings } from "./speak.mjs";

const { Store } = await import(new URL("storage/storage.js", settings.modules));
const { embedPending } = await import(new URL("embedding/embed/embed-pending.js", settings.modules));

const store = new Store({ db: settings.db, timeoutMs: 10_000 });
const embedder = {
  modelId: "torture:hash:64",
  dimensions: 64,
  embed: async (texts) => {
    await new Promise((wake) => setTimeout(wake, settings.callMs ?? 0));
    return texts.map(vectorOf);
  },
};
try {
  const now = () => new Date();
  const onProgress = (progress) => say(progress);
  const pace = { textsPerCall: 5, rowsPerPage: 20, refused: new Set() };
  say({ report: await embedPending({ store, embedder, now }, { onProgress }, pace) });
} catch (error) {
  say({ error: describeError(error) });
} finally {
  await store.close();
}

/** The test computes the same. */
function vectorOf(text) {
  return Float32Array.from(createHash("sha512").update(text).digest(), (byte) => (byte - 127.5) / 1024);
}
