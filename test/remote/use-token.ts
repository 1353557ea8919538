import { inject } from "vitest";

// As a user would: in the environment, where child processes find it too.
process.env["TACIT_AUTH_TOKEN"] = inject("sqld")?.token;
