// Observes events one after the other, says which it has handed over and when, and stays until it is told to close.
import { say, settings, told } from "./speak.mjs";

const { openMemory } = await import(settings.library);
const memory = await openMemory({ db: settings.db, directory: settings.directory });
say({ ready: true });
for (const [index, event] of settings.events.entries()) {
  memory.observe(event);
  say({ observed: index, at: Date.now(), kind: event.kind });
  await new Promise((wake) => setTimeout(wake, settings.pauseMs));
}
await told();
await memory.close();
say({ closed: true });
