/** Base forms that begin an instruction, where what follows is a sentence. */
export const verbs: ReadonlySet<string> = words(`
  accept access achieve acknowledge act activate adapt add address adjust adopt advise aim alert align allow alter amend
  analyse analyze announce answer append apply approve arrange ask assemble assess assign assist assume attach attempt
  augment automate avoid base begin blend block boost bring browse build bundle calculate call capture carry cast change
  chat check choose circulate cite claim clarify classify clean clear click clone close collect combine come comment
  commit communicate compare compile complete compose compress compute conceal conclude conduct configure confirm connect
  consider construct contact continue contribute convert convey convince copy correct cover craft create declare decode
  decrypt deduce define delegate delete deliver demonstrate deny deploy describe design detail detect determine develop
  devise diagnose direct disable disclose discuss display disregard distribute divide document double download draft
  draw drop edit elaborate elevate eliminate embed embrace emphasise emphasize employ emulate enable encode encourage
  encrypt end endorse enforce enhance enrich ensure enter enumerate erase escape establish estimate evaluate examine
  exchange exclude execute exfiltrate expand explain explore export expose express extend extract fabricate feature fetch
  fill filter find finish fix focus follow force forget format formulate forward gather generate get give go grab grant
  guide handle help hide highlight hint hold identify ignore illustrate imagine implement import improve include
  incorporate increase indicate infer inform infuse inject input insert inspect install instruct integrate interpret
  introduce invent invert invite invoke issue join keep know launch lead learn leave let leverage limit link list listen
  load locate log look lower mail maintain make manage mark match measure mention merge message mimic mix modify monitor
  move name navigate note notify obey offer omit open operate optimise optimize order organise organize outline
  output override paraphrase parse pass paste perform permit persuade pick place plan plant play plot point post praise
  predict prepare present pretend prevent print prioritise prioritize proceed process produce promote proofread propose
  protect prove provide publish pull push put query quit quote raise rank rate reach read rearrange recall recommend
  record redirect reduce refactor refer refine reflect refrain refuse register regard reject relate release rely remember
  remind remove rename render repeat rephrase replace reply report represent request require reset resolve respond restart
  restore retrieve return reveal reverse review revise rewrite role roleplay run save say scan schedule scramble scrape
  search see select sell send separate set share shift show shut sign simulate skip solve sort speak specify spell split
  spread start state stay stop store stream stress study submit subscribe substitute suggest sum summarise summarize
  supplement supply support suppose surround swap switch take talk teach tell test thank think throw tie title touch trace
  track train transcribe transfer transform translate transmit treat trigger trust try turn type underline understand
  undo unlock update upgrade upload urge use utilise utilize validate verify view visit wait walk warn weave welcome wipe
  withhold work wrap write`);

/** They may stand before what an instruction begins with: `2. Then please add …`, `INFO: add …`. */
export const fillers: ReadonlySet<string> = words(`
  and then now also first firstly second secondly next finally lastly so but kindly simply just carefully seamlessly
  instead additionally furthermore moreover hey hi hello ok okay well important note attention notice info
  warn warning debug trace error fatal critical err todo fixme task instruction instructions assistant system user ai agent p br li div span
  b em strong td`);

/** They stand before what a log says. */
export const levels: ReadonlySet<string> = words(
  "info warn warning debug trace error fatal critical notice err verbose",
);

/** Before a verb they make a rule or a request. */
export const firm: ReadonlySet<string> = words("please always never don't dont do");

/** By their first word, pairs of words that make one whatever follows. */
export const firmPairs: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["do", words("not")],
  ["you", words("must should need shall ought")],
  ["make", words("sure")],
  ["be", words("sure")],
  ["remember", words("to")],
  ["can", words("you")],
  ["could", words("you")],
  ["would", words("you")],
  ["will", words("you")],
]);

const answering = words("in with using only as by to me the");

/** Pairs that only somebody who answers is told. */
export const replyPairs: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["reply", answering],
  ["respond", answering],
  ["answer", answering],
]);

/** First words of questions. */
export const asks: ReadonlySet<string> = words("what how why which who whom whose where when is are do does did");

/** So begins a question even where its end is not seen. */
export const certainQuestions: ReadonlySet<string> = new Set(
  "how can,how do,how does,how did,how should,how would,how could,why do,why does,what do,what does,what should".split(
    ",",
  ),
);

/** What follows an imperative, and hardly a noun. */
export const determiners: ReadonlySet<string> = words(
  "the a an your my our this these those all every each any some me us it them him her",
);

/** Behind a noun that looks like a verb: `test failed`, `type of`, `import could`. */
export const nounFollowers: ReadonlySet<string> = words(`
  failed fails failure is are was were of not has had have error errors can could cannot did does must may will would
  should denied exited timed refused expected on by and or but reset suite suites completed hang response type`);

/** Verbs that name things in errors: `list index out of range`, `merge conflict`. They command only what an article follows. */
export const namingVerbs: ReadonlySet<string> = words(`
  access block build bundle call cast change check close commit connect copy delete document double download drop edit end
  execute export filter fix format get import index input install issue join link list listen load log look match merge
  message move name open operate order output parse pass paste plan point post print process pull push put query read
  record register release report request reset return run scan search select send set show sign sort spread start state
  stop store stream study support switch test throw title touch trace track transfer trust try turn type update upgrade
  upload use view wait work wrap write bring clone boost compile display require attempt address capture comment fill decode signal`);

/** With them an error says how to mend it, in words that bring nothing into the project. */
export const hints: ReadonlySet<string> = words("try use ensure check read set see verify specify did do make");

/** With them it does so politely: `please specify …`, `you must set …`. */
export const politeHints =
  /^(?:please|you (?:must|should|need to)|don't|do not|never|always),? (?:use|specify|update|ensure|check|set|open|pass|make|verify|know|supply|upgrade|call|enable|define|see|try|report|file|refer|consult|be)\b/;

/** What stands before an article without being a verb. */
export const noVerbs: ReadonlySet<string> = words(`
  in on at of for from to with without within into onto over under after before behind between through during against
  about above across along around as by per via than then that this these those the a an it its he she we they i you and
  or nor but if unless until while when where whether because since though although not no none only even both either
  neither such what which who is are was were be been being am has have had does did can could may might must shall should
  will would there here yes got found had made took gave came went saw said told left kept held ran wrote read sent built
  once also just yet still too very more most less least few many much one two three four five six ten other another same
  except despite like unlike plus minus versus upon beyond near towards toward throughout however therefore thus hence
  maybe perhaps error expected unexpected invalid missing unknown cannot can't won't unable else otherwise half nearly`);

/** Words with which something may be said to an assistant; `addressed` tells whether it is. */
export const addressing =
  /\b(?:your|code|ignore|disregard|forget|override|from now on|system prompt|as an?|you are|assistants?|agents?|tell the user)\b/g;

/** What is said to an assistant, at a word of `addressing`. */
export const addressed = new RegExp(
  [
    String.raw`your (?:[\w'-]+ ){0,2}?(?:responses?|reply|replies|answers?|answer's|messages?|elucidation|explanation|summary|algorithm|solution|codebase|implementation|program logic|code|code's|instructions|guidelines|memory|persona)\b`,
    String.raw`code (?:snippet|block|section|excerpt|segment|fragment)s?\b`,
    String.raw`(?:ignore|disregard|forget|override) (?:all|any|every|everything|your|my|these|those|previous|prior|earlier|above|what you|the (?:previous|prior|above|earlier|rules|instructions))\b`,
    "from now on|system prompt|tell the user",
    String.raw`as an? (?:ai|assistant|llm|(?:large )?language model)\b`,
    String.raw`you are (?:now|an? (?:ai|assistant|agent|helpful|expert))\b`,
    String.raw`(?:assistant|agent)s?(?: reading this)?,? (?:must|should|shall|has to|have to|needs? to|is to|are to|reading)\b`,
  ].join("|"),
  "y",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
