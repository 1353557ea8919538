import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandSource } from "./command-source.js";

describe("commandSource", () => {
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
    ["pnpm dlx create-thing", "download", "pnpm dlx create-thing"],
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
    expect(commandSource(line, { root: "/project" }).outside).toEqual({ from, what });
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
    "node server.js http://localhost:3000",
    "git push origin main",
    "git pull --rebase",
    "git fetch origin main",
    "npx --yes vitest@3 run",
    "uvx ruff check .",
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
    "pip list",
    "",
    '"',
  ])("leaves `%s` alone", (line) => {
    expect(commandSource(line, { root: "/project" }).outside).toBeUndefined();
  });

  it.each([
    ["docker ps", "docker"],
    ["docker compose up -d", "docker"],
    ["constructor x", "constructor"],
    ["__proto__ x", "__proto__"],
    ["env | sort", "env"],
    ["journalctl -u app", "journalctl"],
    ["sudo -u app psql-report", "psql-report"],
    ["npm test && pbpaste", "pbpaste"],
    ["echo `pbpaste`", "pbpaste"],
    ['printf "%s" "`xclip -o`"', "xclip"],
    ["cat <<EOF\n$(dmesg)\nEOF", "dmesg"],
    ["for f in $(crontab -l); do echo $f; done", "crontab"],
    ["find . -name '*.db' -exec sqlite3 {} .dump ';'", "sqlite3"],
    ["git ls-files | xargs -n1 unknown-viewer", "unknown-viewer"],
    ["$TOOL log", "$TOOL"],
    ["python3 -c 'import os; print(os.environ)'", "python3 code"],
    ["node -e \"console.log(require('child_process').execSync('x'))\"", "node code"],
    ["curl-like-thing | sh", "curl-like-thing"],
    ["awk 'BEGIN { while ((\"date\" | getline l) > 0) print l }'", "awk"],
    ["git am < mail.txt", "git am"],
    ["git -c alias.x='!cat /etc/passwd' x", "alias.x=!cat /etc/passwd"],
  ])("[TR40] takes `%s` for outside, since nobody here knows what it shows", (line, what) => {
    const { outside } = commandSource(line, { root: "/project" });

    expect(outside?.from).toBe("command");
    expect(outside?.what).toContain(what);
  });

  it.each([
    ["BASE_URL=https://shop.example.com npm run test:e2e", { from: "network", what: "shop.example.com" }],
    ["export DATABASE_URL=postgres://db.example.com/shop; npm test", { from: "network", what: "db.example.com" }],
    ["GIT_EXTERNAL_DIFF='journalctl -n 9 #' git diff", { from: "command", what: "journalctl" }],
    ["env GIT_TRACE_CURL=1 git fetch", { from: "command", what: "GIT_TRACE_CURL=1" }],
    ["trap 'curl https://example.com' EXIT", { from: "network", what: "example.com" }],
    ["git fetch fork && git log fork/main", { from: "download", what: "git fetch" }],
    ["git fetch origin 'refs/notes/*:refs/notes/*'", { from: "download", what: "git fetch" }],
    ["git cherry-pick -n FETCH_HEAD && git diff --cached", { from: "download", what: "git cherry-pick" }],
    ["go list -m -u -json all", { from: "command", what: "go list all" }],
    ["npm ls --long", { from: "command", what: "npm ls" }],
    [
      "mvn -q versions:display-dependency-updates",
      { from: "command", what: "mvn versions:display-dependency-updates" },
    ],
    ["./gradlew dependencyUpdates", { from: "command", what: "gradlew dependencyUpdates" }],
    ["make --eval='$(info $(file < /tmp/a))' -n", { from: "command", what: "make --eval=$(info $(file < /tmp/a)) -n" }],
    ["go test -exec 'sh -c env' ./...", { from: "command", what: "go test -exec sh -c env ./..." }],
    ["echo x | npx esbuild --bundle", { from: "command", what: "esbuild --bundle" }],
    ["lua -e 'print(io.read())'", { from: "command", what: "lua code" }],
    ["npx tsx -e \"import('node:fs').then(f => f.readFile('/etc/' + 'motd'))\"", { from: "command", what: "tsx code" }],
    ["xargs -I{} git -C {} log <<< /other", { from: "command", what: "git -C" }],
    ["gunzip --stdout a.gz", { from: "command", what: "gunzip" }],
  ])("[TR40] takes `%s` for outside by what stands around the program", (line, outside) => {
    expect(commandSource(line, { root: "/project" }).outside).toEqual(outside);
  });

  it.each([
    "CI=1 NODE_OPTIONS='--max-old-space-size=4096' npm test",
    "GIT_EDITOR=true git rebase --continue",
    "GIT_PAGER=cat git log -3",
    "PYTHONPATH=src:$PYTHONPATH pytest",
    "DATABASE_URL=postgres://localhost:5432/test npm test",
    "TMPDIR=/tmp/x vitest --outputFile=/tmp/x.json",
    "go test -coverprofile=/tmp/c.out ./...",
    "cmake -B /tmp/build -S .",
    "npx vitest run -t '/api/users'",
    "git fetch --depth=1 origin main && git diff origin/main",
    "go list -m all",
    "mvn -q -DskipTests package",
    "trap 'rm -rf build' EXIT",
    "yarn workspaces foreach -A --topological run build",
    "git bisect run sh -c 'npx vitest run src/a.test.ts >/dev/null'",
    "git worktree add /tmp/other main && (cd /tmp/other && git log -1)",
    "python3 -c \"import ast; print([n for n in ast.walk(ast.parse(open('a.py').read()))])\"",
    "go tool cover -func=/tmp/c.out",
    "vendor/bin/phpunit --testdox",
    "find src -name '*.php' -print0 | xargs -0 -n1 php -l",
    "find scripts -name '*.sh' -exec bash -n {} \\;",
    "composer run-script test",
  ])("[TR43] leaves `%s` alone", (line) => {
    const { outside, runs } = commandSource(line, { root: "/project" });

    expect({ outside, runs }).toEqual({ outside: undefined, runs: [] });
  });

  it("[TR40] judges what is built, tested or loaded by where it lies", () => {
    const ranBy = (line: string) => commandSource(line, { root: "/project", directory: "/project/app" }).runs;

    expect(ranBy("make -C /other help")).toEqual(["/other"]);
    expect(ranBy("pytest ../../tests")).toEqual(["/tests"]);
    expect(ranBy("pytest ../tests")).toEqual([]);
    expect(ranBy("PYTHONPATH=/tmp/x:src pytest")).toEqual(["/tmp/x"]);
    expect(ranBy("NODE_OPTIONS='--require /tmp/hook.js' npm test")).toEqual(["/tmp/hook.js"]);
    expect(ranBy("GIT_DIR=/other/.git git log")).toEqual(["/other/.git"]);
    expect(ranBy("MISE_CONFIG_FILE=/other/mise.toml mise tasks")).toContain("/other/mise.toml");
    expect(ranBy("npx vitest run --reporter=/other/reporter.mjs")).toEqual(["/other/reporter.mjs"]);
    expect(ranBy("node --test --test-reporter=/other/rep.mjs src/")).toEqual(["/other/rep.mjs"]);
    expect(ranBy("./gradlew -q -I /other/init.gradle help")).toEqual(["app/gradlew", "/other/init.gradle"]);
    expect(ranBy("npx tsx scratch.ts")).toEqual(["app/scratch.ts"]);
    expect(ranBy("git apply /tmp/fix.diff")).toEqual(["/tmp/fix.diff"]);
    expect(ranBy("node -p \"require('./package.json').version\"")).toEqual(["app/package.json"]);
  });

  it("[TR40] knows a script by its file and a task by its manifest", () => {
    const judged = (line: string) => commandSource(line, { root: "/project", directory: "/project/app" });

    expect(judged("./gen.sh && python3 tools/a.py")).toMatchObject({ runs: ["app/gen.sh", "app/tools/a.py"] });
    expect(judged("npm test")).toMatchObject({ ruledBy: ["app/package.json|package.json"] });
    expect(judged("make -C .. check").ruledBy[0]).toContain("Makefile");
    expect(judged("cd /tmp/x && git log")).toMatchObject({ runs: ["/tmp/x"] });
    expect(judged("cd /tmp && git init x && cd x && git log")).toMatchObject({ runs: [], builds: ["/tmp/x"] });
    expect(judged("go build -o bin/x . && bin/x --list")).toMatchObject({ runs: [], builds: ["app/bin/x"] });
    expect(judged("cd $ELSEWHERE && ./run.sh").outside).toBeDefined();
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
          commandSource(line, { root: "/project" });
        },
      ),
    );
    for (const part of ["$(", "'", "`", "((", "<<E\n", "curl a.b;", "bash -c '", "a@"]) {
      const line = part.repeat(50_000);
      const start = performance.now();
      commandSource(line, { root: "/project" });
      expect(performance.now() - start, part).toBeLessThan(500);
    }
  });
});
