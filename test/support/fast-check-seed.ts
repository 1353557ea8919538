import { configureGlobal } from "fast-check";

// The same examples in every `npm test` and `npm run test:hard`, so that a red run is about the change; new ones in every `npm run torture`.
if (process.env["TACIT_TORTURE"] !== "full") configureGlobal({ seed: 20_261_115 });
