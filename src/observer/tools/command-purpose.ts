import type { Command } from "../observer.js";
import { plainWords } from "./shell-program.js";

type Purpose = Command["purpose"];

/** From the most to the least telling: of `npm ci && npm test && git status`, the tests are what it was for. */
export const purposes: readonly Purpose[] = [
  "test",
  "build",
  "check",
  "install",
  "network",
  "version-control",
  "other",
  "look",
];

/** What a program with these arguments is called, without options and files, and what it is for. */
export function purposeOf(program: string, args: readonly string[]): { name: string; purpose: Purpose } {
  if (["npm", "pnpm", "yarn", "bun"].includes(program)) return ofPackageManager(program, args);
  const words = plainWords(args, valueOptions);
  if (taskRunners.has(program)) return ofTaskRunner(program, words);
  if (scriptRunners.has(program)) return ofScript(program, args, words);
  const verb = words.find((word) => /^[a-z][\w:-]{0,40}$/i.test(word));
  if (verbPrograms.has(program) && verb !== undefined) {
    const name = `${program} ${verb}`;
    return { name, purpose: known.get(name) ?? known.get(program) ?? "other" };
  }
  if (program === "tsc") return { name: program, purpose: args.includes("--noEmit") ? "check" : "build" };
  if (program === "node" || program === "deno") return { name: program, purpose: "other" };
  return { name: program, purpose: known.get(program) ?? ofScriptName(program) ?? "other" };
}

const valueOptions = ["-C", "-c", "-f", "-p", "--prefix", "--manifest-path", "--git-dir", "--work-tree", "-n", "-j"];
const taskRunners = new Set(
  "make gmake just task rake gradle gradlew mvn mvnw ant bazel nx turbo lerna ninja invoke sbt mix".split(" "),
);
const scriptRunners = new Set("node python python3 py tsx ts-node ruby php perl sh bash zsh bun deno".split(" "));
const verbPrograms = new Set(
  (
    "git cargo go dotnet docker docker-compose podman kubectl gh glab pip pip3 poetry uv gem bundle brew apt apt-get dnf yum " +
    "apk swift flutter dart rails terraform helm next vite nuxt prisma tacit playwright cypress composer conda hg svn jj " +
    "aws gcloud az heroku vercel netlify fly wrangler rustup nvm volta systemctl ng ionic expo drizzle-kit hatch tox"
  ).split(" "),
);

const known = new Map<string, Purpose>(
  (
    [
      [
        "test",
        "vitest,jest,mocha,ava,tap,karma,jasmine,pytest,py.test,tox,nox,unittest,nose2,rspec,minitest,phpunit,pest,ctest,bats,cargo test,cargo nextest,go test,dotnet test,swift test,flutter test,dart test,rails test,playwright test,cypress run,cypress,ng test,wdio,gotestsum,busted,hatch test",
      ],
      [
        "build",
        "webpack,rollup,esbuild,parcel,tsup,swc,babel,rspack,cmake,gcc,g++,clang,clang++,cc,rustc,javac,kotlinc,vite build,vite,next build,nuxt build,ng build,cargo build,cargo b,go build,dotnet build,dotnet publish,swift build,flutter build,docker build,docker-compose build,podman build,uv build,poetry build,cargo doc,helm template,protoc,buf",
      ],
      [
        "check",
        "eslint,oxlint,biome,prettier,oxfmt,ruff,flake8,mypy,pyright,basedpyright,pylint,black,isort,bandit,stylelint,knip,shellcheck,hadolint,yamllint,actionlint,markdownlint,rubocop,sorbet,phpstan,psalm,ktlint,detekt,swiftlint,golangci-lint,staticcheck,gofmt,goimports,rustfmt,cargo check,cargo clippy,cargo fmt,cargo audit,go vet,go fmt,dotnet format,flutter analyze,dart analyze,next lint,terraform validate,terraform fmt,terraform plan,svelte-check,vue-tsc,tflint,prisma validate,gradle check",
      ],
      [
        "install",
        "pip install,pip3 install,pip download,pip uninstall,poetry add,poetry install,poetry update,poetry lock,uv add,uv sync,uv pip,uv lock,uv tool,cargo add,cargo install,cargo update,cargo fetch,go get,go mod,go install,gem install,gem,bundle install,bundle update,bundle add,bundle,brew install,brew,apt install,apt-get install,apt,apt-get,dnf,yum,apk,apk add,composer install,composer require,composer update,conda install,dotnet restore,dotnet add,flutter pub,dart pub,rustup,nvm,volta,pod,npm-check-updates,ncu",
      ],
      [
        "network",
        "curl,wget,http,https,xh,ssh,scp,sftp,rsync,nc,ncat,telnet,ping,dig,nslookup,host,ftp,gh,glab,aws,gcloud,az,kubectl,helm,heroku,vercel,netlify,fly,wrangler,git clone,docker pull,docker push,docker login,podman pull,terraform apply,psql,mysql,redis-cli,mongosh",
      ],
      ["version-control", "git,hg,svn,jj"],
      [
        "look",
        "cat,head,tail,less,more,bat,batcat,nl,sed,awk,gawk,grep,egrep,fgrep,rg,ag,ack,find,fd,fdfind,ls,ll,tree,locate,wc,stat,file,du,df,which,type,whereis,echo,printf,env,printenv,whoami,date,pwd,diff,cmp,jq,yq,sort,uniq,cut,tr,column,strings,xxd,od,hexdump,ps,uname,id,hostname,history,realpath,dirname,basename,readlink,cd,true,git grep,md5sum,sha256sum,test,docker ps,docker logs,docker images",
      ],
    ] as const
  ).flatMap(([purpose, names]) => names.split(",").map((name): [string, Purpose] => [name, purpose])),
);

/** Programs and what they are told to do, by names of our own: a command of these says nothing that was read elsewhere. */
export const familiarWords: ReadonlySet<string> = new Set([
  ...[...known.keys()].flatMap((name) => name.split(" ")),
  ...taskRunners,
  ...scriptRunners,
  ...verbPrograms,
  ..."npm pnpm yarn npx tsc run run-script test exec".split(" "),
]);

const installing = new Set("install i ci add uninstall remove rm un update up upgrade dedupe link import".split(" "));
const asking = new Set("view info show search publish outdated audit login whoami create init dlx".split(" "));

function ofPackageManager(program: string, args: readonly string[]): { name: string; purpose: Purpose } {
  const [verb, script] = plainWords(args, ["--filter", "-F", "--prefix", "-w", "--workspace", "-C", "--dir", "--cwd"]);
  if (verb === undefined) return { name: program === "yarn" ? "yarn install" : program, purpose: "install" };
  if (verb === "run" || verb === "run-script") {
    if (script === undefined) return { name: `${program} run`, purpose: "look" };
    return { name: `${program} run ${script.slice(0, 60)}`, purpose: ofScriptName(script) ?? "other" };
  }
  if (["test", "t", "tst"].includes(verb)) return { name: `${program} test`, purpose: "test" };
  if (installing.has(verb)) return { name: `${program} ${verb === "i" ? "install" : verb}`, purpose: "install" };
  if (asking.has(verb)) return { name: `${program} ${verb}`, purpose: "network" };
  if (["ls", "list", "ll", "why", "explain", "bin", "root", "prefix", "config"].includes(verb)) {
    return { name: `${program} ${verb}`, purpose: "look" };
  }
  const isFile = /[./]/.test(verb);
  return { name: `${program} ${verb.slice(0, 60)}`, purpose: (isFile ? undefined : ofScriptName(verb)) ?? "other" };
}

function ofTaskRunner(program: string, words: readonly string[]): { name: string; purpose: Purpose } {
  const tasks = words.filter((word) => word !== "run" && word !== "run-many" && /^[\w:./-]{1,60}$/.test(word));
  const judged = tasks.slice(0, 8).map((task) => ({ task, purpose: ofTask(program, task) }));
  const best = judged.toSorted((a, b) => purposes.indexOf(a.purpose) - purposes.indexOf(b.purpose))[0];
  if (best === undefined) return { name: program, purpose: program === "rake" ? "other" : "build" };
  return { name: `${program} ${best.task}`, purpose: best.purpose };
}

function ofTask(program: string, task: string): Purpose {
  if (program.startsWith("mvn") && /^(?:verify|integration-test)$/.test(task)) return "test";
  if (program.startsWith("mvn") && task === "install") return "build";
  return ofScriptName(task) ?? "other";
}

/** A script is told by its file: that is what it does. */
function ofScript(
  program: string,
  args: readonly string[],
  words: readonly string[],
): { name: string; purpose: Purpose } {
  if (program === "node" && args.includes("--test")) return { name: "node --test", purpose: "test" };
  const script = (program === "deno" ? words.filter((word) => word !== "run") : words)[0];
  if (script === undefined) return { name: program, purpose: args.some((a) => /^--?[vV]/.test(a)) ? "look" : "other" };
  if (program === "deno" && !/[./]/.test(script)) {
    const byVerb: Record<string, Purpose> = { test: "test", lint: "check", fmt: "check", check: "check" };
    return { name: `deno ${script}`, purpose: byVerb[script] ?? "other" };
  }
  if (!/^[\w@./-]{1,100}$/.test(script)) return { name: program, purpose: "other" };
  const base = script.slice(script.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return { name: `${program} ${script.replace(/^\.\//, "")}`, purpose: ofScriptName(base) ?? "other" };
}

/** What a script's or a task's name says: `test:unit`, `lint-fix`, `:app:assembleDebug`. */
function ofScriptName(name: string): Purpose | undefined {
  const words = new Set(
    name
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
  return byWord.find(([, some]) => some.some((word) => words.has(word)))?.[0];
}

// What generates code builds nothing: that it went through does not say that anything works.
const byWord: [Purpose, string[]][] = [
  ["test", "test tests spec specs e2e vitest jest pytest coverage".split(" ")],
  [
    "check",
    "lint check checks typecheck types tsc eslint prettier format fmt validate verify knip typescript".split(" "),
  ],
  ["build", "build compile bundle dist pack package assemble".split(" ")],
  ["install", "install bootstrap setup deps".split(" ")],
];
