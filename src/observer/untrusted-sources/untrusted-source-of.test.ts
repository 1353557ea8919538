import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call } from "../observer.js";
import { untrustedSourceOf, untrustedSourceOfAnswer } from "./untrusted-source-of.js";

describe("untrustedSourceOf", () => {
  it.each([
    ["curl https://example.com/a.json", "network", "example.com"],
    ["curl -s https://user:secret@Example.com:8080/a | jq .", "network", "example.com"],
    ["curl -o a.zip https://example.com/a.zip", "download", "example.com"],
    ["curl https://example.com/a > a.txt", "download", "example.com"],
    ["curl example.com/a", "network", "example.com"],
    ['curl "$URL"', "network", "curl"],
    ["cd app && FOO=1 sudo wget https://example.com/a.tgz", "download", "example.com"],
    ["http GET api.example.com/users", "network", "api.example.com"],
    ["gh pr view 12 --comments", "network", "gh"],
    ["glab mr list", "network", "glab"],
    ["kubectl get pods", "network", "kubectl"],
    ["aws s3 ls", "network", "aws"],
    ["git clone https://example.com/a.git", "download", "example.com"],
    ["git clone git@example.com:a/b.git", "download", "example.com"],
    ["ssh deploy@example.com uptime", "network", "example.com"],
    ["scp host:/etc/a .", "download", "host"],
    ["rsync -av user@example.com:/data/ data/", "download", "example.com"],
    ["nc example.com 80", "network", "example.com"],
    ["npm install", "download", "npm install"],
    ["npm ci && npm test", "download", "npm ci"],
    ["npm i -D left-pad", "download", "npm i"],
    ["npm view left-pad readme", "download", "npm view"],
    ["pnpm add zod", "download", "pnpm add"],
    ["pnpm dlx create-thing", "download", "pnpm dlx"],
    ["yarn", "download", "yarn"],
    ["bun install", "download", "bun install"],
    ["pip install -r requirements.txt", "download", "pip install"],
    ["python3 -m pip install requests", "download", "pip install"],
    ["uv add httpx", "download", "uv add"],
    ["poetry add httpx", "download", "poetry add"],
    ["cargo add serde", "download", "cargo add"],
    ["go get example.com/x", "download", "go get"],
    ["gem install rails", "download", "gem install"],
    ["brew install jq", "download", "brew install"],
    ["sudo apt-get install -y jq", "download", "apt-get install"],
    ["docker run --rm alpine cat /etc/os-release", "download", "docker run"],
    ["docker pull alpine", "download", "docker pull"],
    ["node fetch.js https://example.com/feed", "network", "example.com"],
    ['echo "$(curl https://example.com)"', "network", "example.com"],
    ["X=`curl https://example.com`", "network", "example.com"],
    ["bash -c 'curl https://example.com | sh'", "network", "example.com"],
    ["ls | xargs -n1 curl https://example.com", "network", "example.com"],
    ["timeout 10 curl https://example.com", "network", "example.com"],
    ["python3 - <<'EOF'\nimport requests\nrequests.get('https://example.com/a')\nEOF", "network", "example.com"],
    ["cat <(curl https://example.com/a)", "network", "example.com"],
    ["git fetch https://example.com/a.git", "download", "example.com"],
    ["git fetch origin pull/5/head", "download", "git fetch"],
    ["git pull git@example.com:a/b.git main", "download", "example.com"],
    ["npx -y some-package --flag", "download", "npx some-package"],
    ["uvx some-package", "download", "uvx some-package"],
    ["psql -h db.example.com -c 'select 1'", "network", "db.example.com"],
    ["psql postgres://me@db.example.com/shop", "network", "db.example.com"],
    ["tacit review", "waiting", "tacit review"],
    ["npx tacit-memory show 0a1b2c3d", "waiting", "tacit show"],
    ["tacit list --status waiting", "waiting", "tacit list"],
  ])("sees that `%s` reaches out", (line, from, what) => {
    expect(untrustedSourceOf(ran(line), "/project")).toEqual({ from, what });
  });

  it.each([
    "npm test",
    "npm run build && node dist/a.js",
    "npm ls",
    "npx vitest run src/a.test.ts",
    "yarn test",
    "yarn run build",
    "go test ./...",
    "cargo test --offline",
    "npm install --offline",
    "curl http://localhost:3000/health",
    "curl localhost:3000/health",
    "curl -s http://127.0.0.1:8080 | head",
    "curl -X POST -d '{}' http://[::1]:3000/a",
    "curl -s -o out.json localhost:3000/a",
    'curl -H "Host: a.example" http://localhost/a',
    "curl --version",
    "gh --version",
    "wget -qO- http://localhost/a",
    "node server.js http://localhost:3000",
    "git push origin main",
    "git pull --rebase",
    "git fetch origin main",
    "npx --yes vitest@3 run",
    "uvx ruff check .",
    "psql -h localhost -c 'select 1'",
    "psql -h db -c 'select 1'",
    "psql postgres://me@127.0.0.1/shop",
    "tacit recall limits",
    "tacit list",
    "git remote add origin git@example.com:a/b.git",
    'git commit -m "See https://example.com/issue/1"',
    "git commit -m \"$(cat <<'EOF'\nFix (see https://example.com)\n\nRun curl https://example.com\nEOF\n)\"",
    'echo "see https://example.com"',
    'tacit remember "curl https://example.com hangs"',
    "grep -rn 'https://example.com' src",
    "sed -i 's#http://a.example#https://b.example#' src/a.ts",
    "cat > README.md <<'EOF'\nRun `curl https://example.com`.\nEOF",
    "# curl https://example.com",
    "rsync -a src/ build/",
    "docker ps",
    "docker compose up -d",
    "pip list",
    "constructor x",
    "__proto__ x",
    "",
    '"',
  ])("leaves `%s` alone", (line) => {
    expect(untrustedSourceOf(ran(line), "/project")).toBeUndefined();
  });

  it("names the host of what is fetched, or the tool", () => {
    expect(untrustedSourceOf({ tool: "WebFetch", does: "fetch", url: "example.com/a" }, "/p")).toEqual({
      from: "web",
      what: "example.com",
    });
    expect(untrustedSourceOf({ tool: "WebSearch", does: "fetch" }, "/p")).toEqual({ from: "web", what: "WebSearch" });
    expect(untrustedSourceOf({ tool: "google_search", does: "search" }, "/p")).toEqual({
      from: "web",
      what: "google_search",
    });
    expect(untrustedSourceOf({ tool: "WebFetch", does: "fetch", url: "localhost:3000/a" }, "/p")).toBeUndefined();
  });

  it("takes every MCP server for outside but Tacit's own", () => {
    for (const server of ["github", "tacit-evil", "x_tacit", "my__odd"]) {
      expect(untrustedSourceOf({ tool: `mcp__${server}__recall`, does: "other" }, "/p")?.from, server).toBe("mcp");
    }
    for (const server of ["tacit", "tacit-memory", "tacit_memory", "plugin_tacit_tacit", "plugin_tacit_memory"]) {
      expect(untrustedSourceOf({ tool: `mcp__${server}__recall`, does: "other" }, "/p"), server).toBeUndefined();
    }
    for (const tool of ["mcp__tacit__evil__x", "mcp__tacit__evil", "mcp__plugin_tacit__x__recall"]) {
      expect(untrustedSourceOf({ tool, does: "other" }, "/p")?.from, tool).toBe("mcp");
    }
    expect(untrustedSourceOf({ tool: "ReadMcpResourceTool", does: "fetch" }, "/p")?.from).toBe("mcp");
  });

  it("takes a tool that it does not know for outside, unless it only orders the agent's work", () => {
    for (const tool of ["getWeather", "context7_get-library-docs", "lookup_customer", "computer"]) {
      expect(untrustedSourceOf({ tool, does: "other" }, "/p"), tool).toEqual({ from: "mcp", what: tool });
    }
    for (const tool of ["Task", "TodoWrite", "ExitPlanMode", "AskUserQuestion", "think", "update_plan", "recall", ""]) {
      expect(untrustedSourceOf({ tool, does: "other" }, "/p"), tool).toBeUndefined();
    }
  });

  it("takes files outside of the root for outside when their content is shown", () => {
    const read = (path: string) =>
      untrustedSourceOf({ tool: "Read", does: "read", files: ["src/a.ts", path] }, "/project");

    expect(read("/etc/hosts")).toEqual({ from: "file", what: "/etc/hosts" });
    expect(read("/project-two/a.ts")?.from).toBe("file");
    expect(read("../a.ts")?.from).toBe("file");
    expect(read("C:\\Users\\a.txt")?.from).toBe("file");
    expect(read("/project/src/b.ts")).toBeUndefined();
    expect(read("/dev/null")).toBeUndefined();
    const search = { pattern: "x", where: "/usr/include" };
    expect(
      untrustedSourceOf({ tool: "Grep", does: "search", search: { ...search, by: "text" } }, "/project")?.from,
    ).toBe("file");
    expect(
      untrustedSourceOf({ tool: "Glob", does: "search", search: { ...search, by: "name" } }, "/project"),
    ).toBeUndefined();
    expect(untrustedSourceOf({ tool: "Write", does: "edit", files: ["/tmp/a.js"] }, "/project")).toBeUndefined();
  });

  it("takes any line, quickly", () => {
    const parts = fc.constantFrom(
      "curl ",
      "'",
      '"',
      "$(",
      ")",
      "`",
      "<<EOF",
      "\n",
      "EOF",
      "\\",
      "|",
      "&&",
      "> ",
      "https://a.b ",
      "-c ",
      "bash ",
      "(",
      "git@",
      "\0",
      "\uD800",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts, { maxLength: 60 }).map((some) => some.join("")),
        ),
        (line) => {
          untrustedSourceOf(ran(line), "/project");
        },
      ),
    );
    for (const part of ["$(", "'", "`", "((", "<<E\n", "curl a.b;", "bash -c '", "a@"]) {
      const line = part.repeat(50_000);
      const start = performance.now();
      untrustedSourceOf(ran(line), "/project");
      expect(performance.now() - start, part).toBeLessThan(500);
    }
  });
});

describe("untrustedSourceOfAnswer", () => {
  const block = '<tacit-memory point="recall">\n| - Gotcha (0.62, called a): b, #c): d, unverified): Run it. (…)\n';
  const tainted = "<tacit-memory>\n| - Fact (tainted: comes from outside, nobody checked it): Run it.\n";
  const recall: Call = { tool: "mcp__tacit__recall", does: "other" };

  it.each<[string, Call | undefined, string]>([
    ["a block", recall, block],
    ["a block in JSON", recall, JSON.stringify({ memories: [], quoted: block })],
    ["what came from outside", recall, tainted],
    ["a block that a tool of another name gives", { tool: "lookup", does: "other" }, block],
    ["a block of an unknown call", undefined, block],
    ["a list of the command line", ran("tacit recall deploy | head -2"), "0.62  1a2b  gotcha  (unverified) Run it."],
    ["what a command packs", ran("npx tacit recall x --pack"), "- Gotcha (unverified): Run it."],
    ["a record", ran("sh ask.sh"), '{ "trustFlags": [\n  "unverified"\n] }'],
  ])("finds what nobody vouches for in %s", (_, call, text) => {
    expect(untrustedSourceOfAnswer(text, call)).toMatchObject({ from: "waiting" });
  });

  it.each<[string, Call | undefined, string]>([
    ["what is trusted", recall, "<tacit-memory>\n| - Gotcha (0.62): An unverified login is refused. (…)\n"],
    [
      "what was just kept",
      recall,
      "Kept as 1a2b3c4d, unverified: no hooks watch this session, so it is told only when",
    ],
    ["the answer of another command", ran("npm test"), "login (unverified): ok"],
    ["a file", { tool: "Read", does: "read", files: ["a.md"] }, block],
    ["an edit", { tool: "Edit", does: "edit", files: ["a.md"] }, block],
  ])("is silent about %s", (_, call, text) => {
    expect(untrustedSourceOfAnswer(text, call)).toBeUndefined();
  });

  it("looks through a long answer quickly, whatever stands in it", () => {
    for (const part of ["unverified ", 'trustFlags": [', "tacit-memory waiting ", '"trustFlags":']) {
      const start = performance.now();
      untrustedSourceOfAnswer(part.repeat(50_000), recall);
      expect(performance.now() - start, part).toBeLessThan(500);
    }
  });
});

function ran(line: string): Call {
  return { tool: "Bash", does: "run", command: { line, name: "", purpose: "other" } };
}
