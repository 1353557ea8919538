import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isConfigFile } from "./config-files.js";

describe("a configuration file", () => {
  it.each(
    `package.json packages/core/package.json tsconfig.json packages/core/tsconfig.build.json vite.config.ts
    jest.config.cjs webpack.prod.js .env .env.local apps/web/.env.production .eslintrc.json .prettierrc .npmrc Makefile
    Dockerfile docker/Dockerfile.dev docker-compose.yml docker-compose.test.yaml compose.yaml go.mod crates/a/Cargo.toml
    pyproject.toml setup.cfg tox.ini build.gradle app/build.gradle.kts infra/nginx.conf .github/workflows/ci.yml
    mkdocs.yml rustfmt.toml requirements-dev.txt pom.xml .gitlab-ci.yml biome.json config/database.yml
    .\\packages\\core\\package.json`.split(/\s+/),
  )("is %s", (path) => {
    expect(isConfigFile(path)).toBe(true);
  });

  it.each(
    `package-lock.json yarn.lock pnpm-lock.yaml Cargo.lock poetry.lock bun.lockb go.sum uv.lock src/config.ts
    src/environment.ts src/package.ts README.md src/data/words.yaml test/fixtures/page.yml node_modules/a/package.json
    dist/package.json /etc/nginx/nginx.conf C:\\Users\\a\\.npmrc ../other/package.json src/vitest-reporter.ts
    docs/tsconfig.md src/makefile.ts`.split(/\s+/),
  )("is not %s", (path) => {
    expect(isConfigFile(path)).toBe(false);
  });

  it("is told for any text at all", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (path) => typeof isConfigFile(path) === "boolean"));
    expect(isConfigFile("a/".repeat(100_000))).toBe(false);
    expect(isConfigFile(undefined as unknown as string)).toBe(false);
  });
});
