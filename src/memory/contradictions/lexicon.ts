/** The words by which two statements are compared. Lists, no logic: what is missing here is not compared, and both stay. */

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

function setOf(list: string): ReadonlySet<string> {
  return new Set(words(list));
}

/** Each form of a verb with its base: `run runs running ran`, one verb a line, base first. */
function formsOf(list: string): ReadonlyMap<string, string> {
  const lines = list
    .trim()
    .split("\n")
    .map((line) => words(line));
  return new Map(lines.flatMap((forms) => forms.map((form) => [form, forms[0] as string] as const)));
}

export type VerbClass = "be" | "one" | "use" | "prefer" | "change" | "many" | "agent";

/** Verbs of which a subject has one object at a time: a program listens on one port. */
const one = formsOf(`
  live lives living reside resides resided located based sits
  work works working join joins joined employed
  call calls called named titled spelled spelt
  store stores stored saved persisted kept keep keeps
  host hosts hosted
  deploy deploys deployed deploying
  listen listens listening bind binds bound serve serves served exposed
  default defaults
  point points pointing
  set sets
  expire expires
  belong belongs
  report reports
  write writes written implemented coded
  target targets targeted
  cost costs
  last lasts take takes
  return returns
  start starts begin begins
  end ends
  resolve resolves
  happen happens
  mean means
  limit limits limited capped
  retain retained
  release released cut published shipped
  format formatted
  log logged
  schedule scheduled
  due
  pin pinned
  stay stays remain remains
  pay pays paid
  weigh weighs
  answer answers
  authenticate authenticates authenticated
  `);

const use = formsOf(`
  use uses used using
  run runs running
  do does done
  go goes
  build builds built
  choose chose chosen pick picked adopt adopted decided decide settled agreed
  manage managed
  handle handled
  bundle bundled
  track tracked
  install installs installed
  render rendered
  rely relies
  power powered backed
  `);

const prefer = formsOf(`
  prefer prefers preferred favour favours favor favors
  want wants wanted
  like likes liked love loves enjoy enjoys
  `);

/** Said of what is otherwise than it was. */
const change = formsOf(`
  change changes changed
  move moved moves
  switch switched switches
  migrate migrated migrates
  rename renamed
  replace replaced
  raise raised increase increased bump bumped extended lengthened
  lower lowered reduce reduced decreased shortened cut dropped
  upgrade upgraded update updated downgraded
  become became becomes
  relocate relocated
  scale scaled expand expanded shrink shrunk grow grown double doubled halved
  convert converted
  promote promoted
  transfer transferred
  reassign reassigned
  reschedule rescheduled postponed
  `);

/** Verbs of which a subject has many objects at once: who knows Rust may know Go. */
const many = formsOf(`
  support supports supported
  know knows
  need needs needed require requires
  own owns owned
  has have having
  check checks checked
  contain contains
  include includes included
  import imports
  depend depends
  speak speaks
  accept accepts
  allow allows
  read reads
  add adds
  fix fixes
  cover covers
  test tests tested
  export exports
  provide provides
  emit emits
  expect expects
  see sees
  send sends
  call
  create creates
  learn learns
  visit visits visited
  `);

/** Verbs that one alone does: a service has one owner. */
const agent = formsOf(`
  own owns owned
  lead leads led
  maintain maintains maintained
  head heads headed
  `);

const classes: [VerbClass, ReadonlyMap<string, string>][] = [
  ["agent", agent],
  ["one", one],
  ["use", use],
  ["prefer", prefer],
  ["change", change],
  ["many", many],
];

export const verbs: ReadonlyMap<string, { base: string; kind: VerbClass }> = new Map(
  classes
    .toReversed()
    .flatMap(([kind, forms]) => [...forms].map(([form, base]) => [form, { base, kind }] as const))
    .concat(words("is are be been being").map((form) => [form, { base: "be", kind: "be" }] as const)),
);

/** Verbs that are as often nouns: they are the verb only where no other is there. */
export const nouns: ReadonlySet<string> = setOf(
  `use uses run runs build builds test tests cache log logs release releases deploy deploys request call calls support target
   targets host store limit limits set sets need needs start end report reports point points default cost costs import imports
   export exports move change changes update updates switch work works pick check checks read answer answers upgrade want wants
   updated used cut`,
);

/** Verbs that say nothing about the subject beyond that the value is its own. */
export const lightVerbs: ReadonlySet<string> = setOf(
  `be use run do go live call set listen keep store become choose build stay happen manage handle has change move switch migrate scale expand shrink grow double
   rename replace raise lower upgrade relocate convert promote reschedule transfer reassign prefer want like default target pin
   install rely power track work last take host`,
);

/** What only tells that something is so now. */
export const fillers: ReadonlySet<string> = setOf(
  `now currently today nowadays already instead actually always must should shall still new newly just really simply
   officially finally recently meanwhile please also however again permanently temporarily current correct correctly
   henceforth onwards forward going anymore longer directly strictly generally usually normally exactly
   explicitly automatically fine ok okay acceptable allowed permitted allow welcome possible fully entirely completely of`,
);

/** Nouns that come and go without another meaning. */
export const generics: ReadonlySet<string> = setOf(
  `version value setting option number team company everybody everyone people developers somebody please thing kind
   favourite favorite preferred choice`,
);

export const determiners: ReadonlySet<string> = setOf("the a an our my your their his her its this that these those");
export const prepositions: ReadonlySet<string> = setOf(
  "in on at for with to from by as via through under into after before during within using over per behind inside against of about between until till since without above below every each",
);
export const negators: ReadonlySet<string> = setOf(
  "not never no nobody none nothing neither nor without forbidden prohibited banned disallowed unwelcome refuse refuses",
);

/** The ends of a scale: a word, its scale, and which end it is. */
export const poles: ReadonlyMap<string, { scale: string; sign: 1 | -1 }> = new Map(
  `
  enabled,enable,enables,active,activated,activate / disabled,disable,disables,inactive,deactivated
  required,mandatory,compulsory,obligatory,necessary,needed,need,needs,require,requires / optional,unnecessary,unneeded,voluntary
  supported,support,supports / unsupported
  public / private
  synchronous,sync,synchronously / asynchronous,async,asynchronously
  stable / unstable,flaky
  safe / unsafe
  mutable / immutable
  nullable / non-nullable
  sensitive,case-sensitive / insensitive,case-insensitive
  available / unavailable
  open / closed
  visible / hidden
  encrypted / unencrypted
  signed / unsigned
  automatic,automated,automatically / manual,manually
  single-threaded / multi-threaded,multithreaded
  opt-in / opt-out
  online / offline
  inclusive / exclusive
  ascending / descending
  eager / lazy
  strict / lenient,loose,relaxed
  formal / casual,informal
  long,verbose,detailed,lengthy,thorough,elaborate / short,terse,concise,brief,succinct,compact
  dark / light
  high / low
  large,big / small,little
  fast / slow
  static / dynamic
  internal / external
  local / remote
  relative / absolute
  blocking / non-blocking,nonblocking
  tabs,tab / spaces,space
  single / double
  uppercase / lowercase
  stateful / stateless
  typed / untyped
  ordered / unordered
  cached / uncached
  free / paid
  true / false
  passing,passes,pass / failing,fails,fail
  included,include,includes / excluded,exclude,excludes
  shared / separate,dedicated
  deterministic / nondeterministic,non-deterministic
  reproducible / irreproducible
  writable / read-only,readonly
  backwards-compatible / incompatible
  compatible / incompatible
  vegetarian,vegan / carnivore
  early / late
  `
    .trim()
    .split("\n")
    .flatMap((line): [string, { scale: string; sign: 1 | -1 }][] => {
      const [up = [], down = []] = line.split("/").map((side) => side.trim().split(","));
      const scale = up[0] as string;
      return [...up.map((word) => end(word, scale, 1)), ...down.map((word) => end(word, scale, -1))];
    }),
);

function end(word: string, scale: string, sign: 1 | -1): [string, { scale: string; sign: 1 | -1 }] {
  return [word, { scale, sign }];
}

/** Things of one kind, of which one is used for one purpose at a time. */
export const families: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "package manager": "npm yarn pnpm bun cargo pip poetry uv pipenv conda composer bundler maven gradle",
    database:
      "postgres postgresql mysql mariadb sqlite libsql mongodb dynamodb oracle cockroachdb mssql cassandra firestore duckdb",
    cache: "memcached redis valkey",
    queue: "rabbitmq kafka sqs nats bullmq celery sidekiq",
    "bundler of code": "webpack vite rollup esbuild parcel turbopack rspack swc",
    "test runner": "jest vitest mocha jasmine ava pytest unittest nose rspec playwright cypress selenium junit",
    "build server":
      "circleci jenkins travis github-actions gitlab-ci buildkite teamcity drone azure-pipelines bitbucket-pipelines",
    host: "github gitlab bitbucket codeberg gitea",
    cloud: "aws gcp azure heroku vercel netlify fly.io render digitalocean hetzner cloudflare railway",
    linter: "eslint oxlint biome tslint jshint pylint ruff flake8 standard",
    formatter: "prettier dprint oxfmt black gofmt rustfmt yapf",
    editor: "vim neovim emacs vscode vs-code zed sublime intellij webstorm nano helix cursor",
    framework: "react vue svelte angular solid preact ember nextjs next.js nuxt remix astro",
    server: "express fastify koa hono nestjs django flask fastapi rails laravel spring actix axum gin",
    proxy: "nginx caddy apache traefik haproxy envoy",
    shell: "bash zsh fish powershell",
    ORM: "prisma drizzle typeorm sequelize knex sqlalchemy mikro-orm",
    "version control": "git mercurial svn jj perforce",
    tracker: "jira linear asana trello github-issues youtrack",
    chat: "slack discord teams mattermost zulip",
    watcher: "sentry honeybadger datadog rollbar bugsnag newrelic new-relic grafana prometheus",
    style: "camelcase snake_case kebab-case pascalcase camel-case snake-case pascal-case",
    markup: "json yaml toml xml ini markdown html",
    licence: "mit apache-2.0 gpl gplv3 bsd agpl mpl isc",
    tongue:
      "english german french spanish italian portuguese dutch polish russian chinese japanese korean swedish danish norwegian finnish turkish arabic hindi",
    language: "typescript javascript python go golang rust java kotlin swift ruby php c++ c# scala elixir haskell zig",
    diet: "vegetarian vegan pescatarian omnivore",
    drink: "coffee tea",
    strategy: "squash rebase merge-commit",
    zone: "utc gmt cet cest pst pdt est edt cst mst bst ist jst",
  }).flatMap(([family, members]) => words(members).map((member) => [member, family] as const)),
);

/** Kinds of which several are in use side by side without a word about it. */
export const sharedFamilies: ReadonlySet<string> = setOf("language tongue markup cache queue shell watcher host chat");

/** Where or under what something holds: two statements that differ in one of these are of different things. */
export const circumstances: ReadonlySet<string> = setOf(
  `production prod staging stage development dev test tests testing ci local locally laptop laptops docker linux windows macos mac
   ubuntu debian ios android mobile desktop web browser chrome firefox safari edge frontend front-end backend back-end client
   server weekdays weekends morning mornings evening evenings afternoon night nights winter summer builds unit integration e2e
   end-to-end preview qa sandbox canary beta alpha nightly`,
);

/** Of those, what is told by a plain word: the branch is main. Of the others a plain word tells how they are: the team is small. */
export const plainAttributes: ReadonlySet<string> = setOf(
  `name branch language colour color default format style level mode title role job licence license theme convention prefix suffix
   extension indentation strategy type timezone profession position job hobby nickname username handle favourite favorite status
   pronouns delimiter separator encoding locale currency`,
);

/** What is done to one thing by many, or with many. */
export const sharedDeeds: ReadonlySet<string> = setOf(
  `used tested supported imported mentioned documented interested involved needed included required referenced affected
   related connected linked combined mixed checked covered listed described shown seen found visited`,
);

/** What a thing has one of: `the default branch is`. */
export const attributes: ReadonlySet<string> = setOf(
  `name branch language colour color default format style level mode title role job employer city country framework bundler tool
   strategy type status owner lead manager timezone host provider backend engine theme licence license convention prefix suffix
   extension deadline database db editor shell runtime platform target compiler linter formatter runner registry address email
   phone url endpoint port path folder directory location place entry entrypoint file key id identifier algorithm protocol policy
   scheme encoding charset locale currency unit interval schedule day time date birthday hometown nationality profession position
   department team office pronoun pronouns nickname username handle account plan tier model version size limit timeout budget
   favourite favorite architecture approach pattern orm client library package dependency server table schema column maintainer
   reviewer boss founder ceo cto spouse wife husband partner dog cat pet school university hobby indentation indent quotes`,
);

/** What comes in any number, each with a place of its own. */
export const countless: ReadonlySet<string> = setOf(
  `bug bugs issue issues error errors problem problems fix fixes test tests example examples function class thing things reason
   trick gotcha step steps change todo line option options one another commit ticket pr call caller`,
);
