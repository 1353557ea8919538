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

  it.each([
    "python3 -c \"import io; print(io.FileIO('/tmp/p').read())\"",
    "python3 -c \"from io import FileIO; print(FileIO('/tmp/p').read())\"",
    "python3 -c \"from pathlib import Path; print((Path.home()/'p').read_text())\"",
    "python3 -c \"from pathlib import Path; print((Path('a') / 'p').read_text())\"",
    "python3 -c \"import os; os.execlp('cat','cat','/tmp/p')\"",
    "python3 -c \"import os as o; print(o.read(o.open('/tmp/p', 0), 99))\"",
    "python3 -c \"import sys; sys.path.insert(0, '/tmp'); import json\"",
    "python3 -c \"f = open; print(f('/tmp/p').read())\"",
    'python3 -c "print(().__class__.__base__.__subclasses__())"',
    "python3 -c \"print(open('/dev/fd/3').read())\"",
    "node -e \"console.log(require('fs')['readFileSync']('/tmp/p','utf8'))\"",
    "node -e \"const f = fs; console.log(f.readFileSync('/tmp/p'))\"",
    "node -e \"const {readFileSync: r} = require('fs'); console.log(r('/tmp/p'))\"",
    "node -e \"require('fs').openSync('/tmp/p'); console.log(require('fs').readSync(3))\"",
    "node -e \"require('fs').cpSync('/tmp/p', '/dev/stdout')\"",
    "node -p \"process['env']\"",
    "node -e \"[].constructor.constructor('return 1')()\"",
    "node -e \"https.get({ host: 'a.example' })\"",
    "ruby -e 'puts IO.read(\"/tmp/p\")'",
    "ruby -e 'puts ARGF.read' /tmp/p",
    "ruby -e 'load \"/tmp/x.rb\"'",
    "perl -e 'open F, \"/tmp/p\"; print <F>'",
    "perl -e 'do \"/tmp/x.pl\"'",
    "perl -ne 'print `cat /tmp/p`' src/a.ts",
    "php <<'E'\n<?php echo implode(file('/tmp/p'));\nE",
    "php <<'E'\n<?php include '/tmp/p';\nE",
  ])("[TR40] takes code for outside that opens a file by anything else than its name: `%s`", (line) => {
    expect(commandSource(line, { root: "/project" }).outside?.what).toMatch(/ code$/);
  });

  it.each([
    "python3 -c \"import os, json; print(os.path.join('a', 'b'), json.load(open('a.json')))\"",
    'python3 -c "import sys; sys.stdout.write(sys.version)"',
    "python3 -c \"from pathlib import Path; p = Path('a.ts'); p.write_text(p.read_text().replace('a', 'b'))\"",
    "python3 - <<'E'\nimport re, sys\ns = open('a.ts').read()\nopen('a.ts', 'w').write(re.sub('open', 'shut', s))\nE",
    "node -e \"const fs = require('fs'); fs.writeFileSync('b', fs.readFileSync('a.ts', 'utf8'))\"",
    "node -e \"const { readFileSync } = require('node:fs'); console.log(readFileSync('a.ts', 'utf8'))\"",
    "node --input-type=module -e \"import { readFileSync } from 'node:fs'; process.stdout.write(readFileSync('a.ts', 'utf8'))\"",
    'node -p "process.version"',
    "ruby -e 'puts File.read(\"a.rb\").lines.count'",
    "perl -pi -e 's/open/do/g' a.ts",
    "perl -ne 'print if /limit/' a.ts",
    "perl -ne 'print if /open|exec/' a.ts",
    "php <<'E'\n<?php echo json_encode(array_keys(json_decode(file_get_contents('composer.json'), true)));\nE",
  ])("[TR43] leaves code alone that says what it opens: `%s`", (line) => {
    expect(commandSource(line, { root: "/project" }).outside).toBeUndefined();
  });

  it.each([
    "npm run env",
    "npm explore zod -- cat README.md",
    "npm query .workspace",
    "pnpm licenses list",
    "pnpm why -r react --long",
    "cargo metadata --format-version 1",
    "cargo tree -f '{p} {l}'",
    "cargo test --config 'target.x.runner=\"cat /tmp/p\"'",
    "go list -f '{{.Doc}}' all",
    "make -p",
    "make SHELL=/tmp/x all",
    "cmake -E env",
    "rake -e 'puts 1'",
    "tar xf a.tar --to-command=cat",
    "tar -I 'cat /tmp/p' -cf x.tar src",
    "sort --compress-program=/tmp/x src/a.ts",
    "awk 'BEGIN { ARGV[1] = \"/tmp/p\"; ARGC = 2 } 1'",
    "jq -L/tmp 'include \"x\"; .' package.json",
    "git submodule foreach 'cat README.md'",
    "git stash show -p --include-untracked",
    "git config --blob=FETCH_HEAD:notes -l",
    "NODE_OPTIONS='--import data:text/javascript,1' npm test",
    "GIT_SSH_COMMAND='journalctl' git push",
  ])("[TR40] takes `%s` for outside: it may show more than the project tracks", (line) => {
    expect(commandSource(line, { root: "/project" }).outside).toBeDefined();
  });

  it.each([
    "npm run environment",
    "npm test",
    "npm start",
    "cargo metadata --no-deps --format-version 1",
    "cargo tree",
    "go list ./...",
    "go list -f '{{.ImportPath}}' ./...",
    "make -j4 all",
    "cmake -E make_directory build",
    "tar czf out.tgz src",
    "tar -I zstd -xf a.tar",
    "git submodule foreach 'git status -s'",
    "GIT_SSH_COMMAND='ssh -i ~/.ssh/key' git push",
    "node -r dotenv/config -e 1",
    "node --import tsx scripts/gen.ts",
  ])("[TR43] leaves `%s` alone as well", (line) => {
    expect(commandSource(line, { root: "/project" }).outside).toBeUndefined();
  });

  it("[TR40] judges what is loaded before a script by its file", () => {
    const ranBy = (line: string) => commandSource(line, { root: "/project" }).runs;

    expect(ranBy("node -r /tmp/x.js -e 1")).toEqual(["/tmp/x.js"]);
    expect(ranBy("node --import=/tmp/x.mjs -e 1")).toEqual(["/tmp/x.mjs"]);
    expect(ranBy("node --loader /tmp/l.mjs scripts/gen.mjs")).toEqual(["scripts/gen.mjs", "/tmp/l.mjs"]);
    expect(ranBy("node --env-file=/tmp/e scripts/gen.mjs")).toEqual(["scripts/gen.mjs", "/tmp/e"]);
    expect(ranBy("task -t /tmp/Taskfile.yml x")).toEqual(["/tmp/Taskfile.yml"]);
    expect(ranBy("markdownlint /tmp/notes/*.md")).toEqual(["/tmp/notes/*.md"]);
    expect(ranBy("bash --rcfile /tmp/x -i -c true")).toEqual(["/tmp/x"]);
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
