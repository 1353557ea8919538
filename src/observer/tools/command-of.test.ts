import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "./command-runs.js";
import { commandOf } from "./command-of.js";

const place = { root: "/project" };
const command = (line: string) => commandOf(line, runsOf(line, place));

describe("a command line", () => {
  it.each([
    ["npm test", "npm test", "test"],
    ["npm t -- --run", "npm test", "test"],
    ["CI=1 npm run test:unit", "npm run test:unit", "test"],
    ["cd app && npm ci && npm test 2>&1 | tail -20", "npm test", "test"],
    ["npx vitest run src/a.test.ts", "vitest", "test"],
    ["timeout 60 npx --yes vitest@3 run", "vitest", "test"],
    ["node_modules/.bin/jest a", "jest", "test"],
    ["node ./node_modules/vitest/vitest.mjs run", "vitest", "test"],
    ["pnpm --filter core test", "pnpm test", "test"],
    ["pnpm exec playwright test e2e", "playwright test", "test"],
    ["yarn workspace web test", "yarn test", "test"],
    ["bun test", "bun test", "test"],
    ["python -m pytest tests/test_a.py -k name", "pytest", "test"],
    ["poetry run pytest -x", "pytest", "test"],
    ["uv run --with x pytest", "pytest", "test"],
    ["docker compose exec web pytest", "pytest", "test"],
    ["cargo test --workspace", "cargo test", "test"],
    ["go test ./...", "go test", "test"],
    ["./gradlew :app:testDebug", "gradlew :app:testDebug", "test"],
    ["mvn -q verify", "mvn verify", "test"],
    ["make test", "make test", "test"],
    ["dotnet test", "dotnet test", "test"],
    ["node --test", "node --test", "test"],
    ["bash -lc 'npm test'", "npm test", "test"],
    ["npm run build && npm run lint", "npm run build", "build"],
    ["npx tsc", "tsc", "build"],
    ["make", "make", "build"],
    ["cargo build --release", "cargo build", "build"],
    ["docker build .", "docker build", "build"],
    ["npx tsc --noEmit -p .", "tsc", "check"],
    ["npx eslint src --max-warnings 0", "eslint", "check"],
    ["ruff check .", "ruff", "check"],
    ["cargo clippy", "cargo clippy", "check"],
    ["npm run typecheck", "npm run typecheck", "check"],
    ["npm i left-pad", "npm install", "install"],
    ["pip install -r requirements.txt", "pip install", "install"],
    ["sudo apt-get install -y jq", "apt-get install", "install"],
    ["curl -s https://example.org", "curl", "network"],
    ["gh pr view 12", "gh pr", "network"],
    ["git clone https://example.org/a.git", "git clone", "network"],
    ["git -C sub status", "git status", "version-control"],
    ['git add -A && git commit -m "test the build"', "git commit", "version-control"],
    ["node scripts/gen.mjs", "node scripts/gen.mjs", "other"],
    ["npm run codegen", "npm run codegen", "other"],
    ["node scripts/build.mjs --fast", "node scripts/build.mjs", "build"],
    ["./scripts/deploy.sh staging", "scripts/deploy.sh", "other"],
    ["node server.js | head -5", "node server.js", "other"],
    ["ls -la src", "ls", "look"],
    ["cat a.ts | grep foo", "cat", "look"],
    ["", "", "other"],
  ])("%s is %s, for %s", (line, name, purpose) => {
    expect(command(line)).toMatchObject({ name, purpose });
  });

  it("is not a run of tests because its text speaks of one", () => {
    expect(command('git commit -m "run npm test && npm run build"').purpose).toBe("version-control");
    expect(command('echo "npm test"').purpose).toBe("other");
    expect(command("grep -rn 'npm test' docs").purpose).toBe("look");
  });

  it("keeps no text of a here-document", () => {
    const { line, name } = command("cat > notes.md <<'EOF'\nsecret text; npm test\nEOF\n");

    expect(line).toBe("cat > notes.md <<'EOF' …");
    expect(name).toBe("cat");
  });

  it("understands a commit message from a here-document in quotes", () => {
    const line = `git commit -m "$(cat <<'EOF'\nFix "it" (really)\n\nnpm test passes)\nEOF\n)" && npm run build`;

    expect(command(line)).toMatchObject({ name: "npm run build", purpose: "build" });
  });

  it.each([
    ["npx vitest run src/a.test.ts ./test/b.test.ts", ["src/a.test.ts", "test/b.test.ts"]],
    ["npm test -- src/a.test.ts", ["src/a.test.ts"]],
    ["pytest tests/test_a.py::test_b -k 'not slow' -n 4", ["tests/test_a.py::test_b"]],
    ["cd packages/core && npx jest src/a.spec.ts", ["packages/core/src/a.spec.ts"]],
    ["go test ./pkg/auth/...", ["pkg/auth"]],
    ["cargo test parser::tests", ["parser::tests"]],
    ["npx vitest run /project/test/x.test.ts", ["test/x.test.ts"]],
    ["npm test", undefined],
    ["go test ./...", undefined],
  ])("%s names the tests %j", (line, targets) => {
    expect(command(line).targets).toEqual(targets);
  });

  it.each([
    ["git checkout -- src/a.ts b.ts", ["src/a.ts", "b.ts"]],
    ["git checkout HEAD~1 -- src/a.ts", ["src/a.ts"]],
    ["git checkout src/a.ts", ["src/a.ts"]],
    ["git checkout .", ["."]],
    ["cd src && git checkout -- a.ts", ["src/a.ts"]],
    ["git restore src/a.ts", ["src/a.ts"]],
    ["git restore --source HEAD~2 a.ts", ["a.ts"]],
    ["git reset --hard", ["."]],
    ["git stash", ["."]],
    ["git stash push -m wip -- a.ts", ["a.ts"]],
    ["git clean -fd", ["."]],
    ["git clean -fd build", ["build"]],
    ["git checkout main", undefined],
    ["git checkout feature/new-thing", undefined],
    ["git checkout -b fix.ts", undefined],
    ["git restore --staged a.ts", undefined],
    ["git reset HEAD~1", undefined],
    ["git stash pop", undefined],
    ["git clean -nfd", undefined],
    ["echo git checkout -- a.ts", undefined],
  ])("%s takes back %j", (line, restores) => {
    expect(command(line).restores).toEqual(restores);
  });

  it("never throws, and stays short, whatever is typed", () => {
    const character = fc.constantFrom(..."ab -./'\"`$(){}|&;<>\\\n#=gitnpmcd".split(""));
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: character, maxLength: 300 })), (line) => {
        const { line: kept, name, targets = [] } = command(line);

        expect(kept.length).toBeLessThanOrEqual(300);
        expect(name.length).toBeLessThanOrEqual(80);
        expect(targets.length).toBeLessThanOrEqual(20);
      }),
    );
  });

  it("takes no time that grows faster than the line", () => {
    for (const line of ["$(".repeat(50_000), '"$('.repeat(50_000), "a && ".repeat(50_000), "'".repeat(99_999)]) {
      const start = performance.now();
      command(line);

      expect(performance.now() - start).toBeLessThan(200);
    }
  });
});
