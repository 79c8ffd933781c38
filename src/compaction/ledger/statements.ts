import { factText } from './call-facts.ts';

/** A sentence of a person that settles something. */
export interface Statement {
  readonly text: string;
  /**
   * `constraint`: a rule for the work. `decision`: a choice that was made. `value`: what something is: a date, a name,
   * a number. `wish`: a plan that was proposed; it can be replaced, but it is not a decision yet.
   */
  readonly kind: 'constraint' | 'decision' | 'value' | 'wish';
  /** It says itself that something changes: "now", "instead", "from now on". */
  readonly isChange: boolean;
  /** A model said it: it never takes the place of what a person said. */
  readonly isOfModel?: true;
}

/** The ways a message takes back what was said before it. */
export type Retraction = 'none' | 'newest' | 'all';

/** All that one message settles and takes back. */
export interface Statements {
  readonly statements: readonly Statement[];
  readonly retraction: Retraction;
  /** The sentence that takes something back. */
  readonly retractedBy?: string;
}

const mostPerMessage = 12;

const lead =
  '(?:(?:also|and|but|so|ok(?:ay)?|yes|yeah|no|please|note(?: that)?|important|remember|again|finally|then|first|for now|however|in general|generally|overall|btw|fyi|hey|hi|thanks|you (?:can|should|must|need to|have to)|make sure(?: that)?(?: you)?|(?:a )?change of plans?|(?:quick )?update|correction|actually|on second thoughts?|wait|instead)[,:;.!]*\\s+(?:[—–-]\\s*)?)*';
const clause = '(?:^|[,;:—–]\\s*|\\s-\\s|\\b(?:and|but|so|then|please|just|however)\\s+)';

/** "Never …", "do not …" at the beginning of a clause; in its middle the words tell a story ("I don't see it"). */
const imperativeRule = new RegExp(
  [
    `(?:^${lead}|${clause})(?:please\\s+)?(?:(?:never|always)(?! (?:\\w+(?:ed|[^s]s)|been|had|was)\\b)|don['’]?t|do not|make sure|ensure|be sure|be careful|only (?:use|touch|change|edit|modify|do|run|add|write|show|answer|reply|return|output|look|work|fix|commit|support)|use only|stick (?:to|with)|keep (?:it|the|all|every|your|our|to|in mind|answers|replies|responses|everything|them|this|that)|refrain|under no circumstances|you may (?:only|not))\\b`,
    `^${lead}(?:please\\s+)?(?:avoid|prefer|keep|leave (?:the|it|all|everything|that|this|them)|no (?:new|external|extra|additional|more|breaking|third-party|emojis?|comments?|abbreviations))\\b`,
  ].join('|'),
  'iu',
);
const modalRule =
  /\b(?:must(?: not|n['’]t)?|shall(?: not)?|should (?:always|never|only|be (?:concise|short|brief|in|at|no|under|below))|should(?:n['’]t| not)|may only|you may not|needs? to (?:stay|remain|always|only|never)|(?:has|have) to (?:be|stay|remain|always|match)|can(?:not| only)|(?:is|are) (?:not allowed|forbidden|prohibited|mandatory|required|off[- ]limits)|at all (?:times|costs))\b/iu;
const shapedRule =
  /^(?:please )?\w+ .*\bwithout (?:adding|changing|touching|using|breaking|modifying|introducing|asking|removing|losing)\b|\b(?:at most|at least|no more than|no less than|never exceed|(?:at or )?(?:below|under)) (?:\$|€|£)?\d|\bfrom now on\b|\b(?:i|user|we) (?:want|wants|prefer|prefers|need|needs|would like|['’]d like|would rather(?: get)?|['’]d rather)\b.*\b(?:only|always|never|terse|short|brief|concise|warm|playful|within)\b|^(?:report|put|show|format) (?:all|every|each)\b|^run (?:unit|integration|the|all) .*\bbefore\b|^for [^,]{2,40}, (?:show|use|report|put|write)\b/iu;
/** First persons tell what happened to them; a rule is addressed to another. */
const story =
  /^(?:also |and |but |so |hmm,? |well,? )*(?:i|we|they|he|she) (?:don['’]?t|do not|can['’]?t|cannot|couldn['’]?t|never|always|only|must|didn['’]?t|haven['’]?t|should have|tried|think|thought|see|saw|noticed|wonder|guess|believe|just|got|get|had|was|were|am|assume|know)\b|\bi (?:don['’]?t|do not|can['’]?t|cannot|must|never) (?:see|understand|know|think|remember|have|get|want to|believe|care|mind|like|find|need|admit|say)\b|^(?:it|this|that|there|these|those) (?:does|do|did|is|was|isn['’]?t|doesn['’]?t|don['’]?t|didn['’]?t|seems?|looks?|must have|should already|only)\b|\bmust (?:have been|be (?:a|an|some|because|due))\b|\b(?:make|making|made) sure (?:i|we)\b|\b(?:don['’]?t|do not) (?:worry|know|forget)\b|\bif you (?:must|don['’]?t|cannot|can['’]?t)\b/iu;
const chineseRule =
  /(?:^|[，,；;：:、\s])(?:请)?(?:(?:都|一律|绝对|千万)?(?:不要|不能|不准|不得|不可以?|禁止|必须|务必|总是|永远|只能|只用|确保|请勿|别(?:再|动|改|用)|一律|始终))/u;

const choice = new RegExp(
  `(?:^${lead}|${clause})(?:let['’]?s (?:use|go with|keep|switch|stick|drop|instead|rather|adopt)\\b|let['’]?s .{1,80}\\b(?:instead|rather than)\\b|we(?:['’]re| are) going (?:with|to) .{1,80}\\binstead\\b|we(?:['’]ll| will) (?:use|go with|keep|stick|take)\\b|we (?:have )?(?:decided|agreed)\\b|i(?:['’]ll| will|['’]m going to| am going to) (?:go with|use|take|stick)\\b|i(?:['’]ve| have)? (?:decided|chose|choose|pick|picked|settled)\\b|(?:go|going|stick) with\\b|switch (?:from|to|over)\\b)|^${lead}(?:(?:use|take|pick|choose|adopt|keep|name|call|make) .{1,80}\\b(?:instead|rather than|not|over)\\b|instead of .{1,80}\\b(?:use|name|call|take|make|do)\\b|use [\\w@./+-]+(?: for\\b.*)?[.!]?$|option [a-z\\d](?!\\w*:)\\b|(?:the |our |new |final |current )*(?:plan|approach|decision|direction|choice)(?: is| will be)?(?: now)?[:—–-])`,
  'iu',
);
const chosen =
  /\bis (?:the )?(?:final|decided|settled|agreed)\b|\bfinal (?:answer|decision)\b|\b(?:is|are) off the table\b|\b(?:current|new|agreed|final) (?:plan|approach|direction)\b[^.]{0,20}[:—]|^(?:plan|approach|decision|direction)\b[^:]{0,80}:|\bno longer (?:use|using)\b/iu;
const chineseChoice =
  /决定(?:了|用|采用|使用|改)|改用|采用|就用|改成|改为|换成|选(?:择|用|定)(?:了|方案)?|方案[A-Z一二三]/u;
/** "Let's see" and "let's find" announce a look, not a choice. */
const look =
  /\blet['’]?s (?:see|look|find|check|try|start by|figure|think|talk|discuss|dig|take a look|go (?:through|over|ahead|back|on))\b|\bgo (?:ahead|on|through|over)\b/iu;
const glance = /\blet['’]?s (?:see|look|find|check|take a look)\b/iu;
const proposal =
  /\b(?:let['’]?s|we['’]ll|we will|we(?:['’]re| are) going to|i think (?:we|you|it)|we (?:should|could|might)|maybe|how about|what about|let['’]?s (?:dig|try|think)|i(?:['’]ve| have) been planning|is the right (?:call|choice|way)|my (?:plan|idea) )\b/iu;

const label =
  /^(?:(?:hard|user|key|important|goal|safety|project|the|our)\s+)*(constraint|rule|requirement|policy|preference|fact|value|decision|state|goal|approach|plan)s?\s*:\s*/iu;
const copula =
  /\b(?:are calling .{1,40}?(?= \S+ now)|is(?: now)?|are(?: now)?|=|will be|should be|must be|becomes?|remains?|stays?|(?:has )?(?:changed|moved) to|(?:renamed|rebased|switched|set|bumped|upgraded|updated|rotated) (?:to|onto)|belongs to|owns|lands on|runs? on|listens on|is (?:called|named|scheduled for|designated|based on|parked on)|now ships? on|(?:is|are) handling|switched .{1,40} to)(?: branch| port| version)? |(?:是|为|改到|改成|改为|叫)/u;
const vague =
  /^(?:it|this|that|there|here|he|she|they|what|which|these|those|everything|something|one|who|your|if|when|because|since|so|for example|e\.g|verify|check|ensure|make|needs?|we (?!are calling|rebased|switched|moved|now|renamed|upgraded|bumped|rotated))\b/iu;
/** A date, a number, a quoted text, a name, an id: what a value is, in its first words. */
const concrete =
  /^(?:(?:at|on|in|under|about|around|the|a|an|actually|version|port|running|user|set to|based on|branch)\s+){0,3}(?:[$€£#]?\d|["'`“‘「]\S|\p{Lu}[\p{Ll}\d]|\p{Lu}+[-_\d]|\w(?:[/.-]?[A-Za-z_])*[/.-]?\d|\w+[_/]\w|[A-Z]{3}\b)/u;
/** Longest value sentence, in words, and longest value in it. */
const longestValueSentence = 20;
const longestValue = 12;
/** "Change the region to eu-west-1." */
const setting =
  /^(?:please )?(?:change|set|update|rename|move|bump|switch|raise|lower|increase|decrease) (?:the |our |my )?[\w -]{2,40} to (.+)$/iu;
/** Matches what was forbidden and is now allowed. */
const permission =
  /^(?:you (?:may|can|are allowed to)|it(?:['’]s| is) (?:ok|okay|fine|allowed)(?: for you)? to|feel free to)\b.*\b(?:now|from now on|after all|again)\b/iu;
const nowOwns =
  /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2} (?:now )?(?:owns|is handling|handles|leads|is the)\b/u;

const change =
  /\b(?:now|from now on|as of|henceforth|instead|actually|update[ds]?:?|correction|no longer|changed?|moved|rotated|rebased|upgraded|bumped|retired|switch(?:ed|ing)?|renamed|new(?:ly)?|final answer|going forward|rather|not any ?more|anymore|replac(?:e|ed|es|ing)|revis(?:e|ed)|swap|change|on second thought|changed my mind)\b|不再|改(?:成|为|到|用)|换成|现在|从现在|取消|算了/iu;
const retractsAll =
  /\b(?:scratch|forget|ignore|disregard|drop|discard) (?:all|everything)\b|\b(?:total|full|complete) (?:reset|pivot|restart)\b|\bstart(?:ing)? over\b|忘掉(?:之前|前面)|推倒重来|全部(?:作废|取消)/iu;
const retractsNewest =
  /\b(?:scratch|forget|ignore|disregard|drop|cancel|undo) (?:that|this|it|the (?:earlier|previous|last|above|old)|my (?:last|previous|earlier)|what i said)\b|\bnever ?mind\b|\bchanged my mind\b|\bon second thoughts?\b|\bactually\b.*\b(?:instead|rather|scratch|revise|wait)\b|\b(?:let me (?:revise|correct)|correction:|final (?:answer|decision))|\bwait\b.*\b(?:instead|no|revise)\b|\b(?:instead|rather)[.!]?$|算了|还是(?:用|改)/iu;

/** Says only that something is over, and nothing that holds instead. */
const ending = /\b(?:is|are) off the table\b|\bis (?:dead|dropped|cancell?ed)\b/iu;

/** True if a sentence only says that something is over. */
export function isEnding(sentence: string): boolean {
  return ending.test(sentence);
}

/** Statements of the person in one message, sentence by sentence. */
export function statementsIn(text: string): Statements {
  const sentences = sentencesIn(text);
  const statements = sentences.flatMap((sentence) => statementOf(sentence) ?? []).slice(0, mostPerMessage);
  const withdrawal = sentences.find((sentence) => retractsAll.test(sentence));
  if (withdrawal !== undefined) return { statements, retraction: 'all', retractedBy: withdrawal };
  const takenBack = sentences.find((sentence) => !isQuestion(sentence) && retractsNewest.test(sentence));
  if (takenBack !== undefined) return { statements, retraction: 'newest', retractedBy: takenBack };
  return { statements, retraction: 'none' };
}

function statementOf(sentence: string): Statement | undefined {
  const kind = kindOf(sentence);
  return kind === undefined ? undefined : { text: sentence, kind, isChange: change.test(sentence) };
}

function kindOf(sentence: string): Statement['kind'] | undefined {
  // What ends like a statement of a program is pasted.
  if (isQuestion(sentence) || /[;{}]$/u.test(sentence)) return undefined;
  const labelled = label.exec(sentence)?.[1]?.toLowerCase();
  switch (labelled) {
    case 'constraint':
    case 'rule':
    case 'requirement':
    case 'policy':
    case 'preference':
      return 'constraint';
    case 'decision':
    case 'approach':
    case 'plan':
      return 'decision';
    case 'fact':
    case 'value':
    case 'state':
      return 'value';
    default:
  }
  if (isChoice(sentence)) return 'decision';
  if (isRule(sentence)) return 'constraint';
  if (isValue(sentence)) return 'value';
  return proposal.test(sentence) && !glance.test(sentence) ? 'wish' : undefined;
}

function isRule(sentence: string): boolean {
  if (chineseRule.test(sentence)) return true;
  if (story.test(sentence)) return false;
  return (
    permission.test(sentence) ||
    imperativeRule.test(sentence) ||
    modalRule.test(sentence) ||
    shapedRule.test(sentence)
  );
}

function isChoice(sentence: string): boolean {
  if (chineseChoice.test(sentence)) return true;
  if (look.test(sentence) || /^(?:do not|don['’]?t|never)\b/iu.test(sentence)) return false;
  return choice.test(sentence) || chosen.test(sentence);
}

function isValue(sentence: string): boolean {
  if (sentence.split(' ').length > longestValueSentence || vague.test(sentence)) return false;
  if (nowOwns.test(sentence)) return true;
  const target = setting.exec(sentence)?.[1];
  if (target !== undefined) return concrete.test(target);
  const found = copula.exec(sentence);
  if (found === null || found.index === 0) return false;
  const value = sentence.slice(found.index + found[0].length).trim();
  return value.split(' ').length <= longestValue && concrete.test(value);
}

const modelChoice =
  /\b(?:decision: \S|(?:i|we)(?:['’]ve| have)? (?:decided|agreed|settled|chose|opted) (?:to|on|for|against|not)?|(?:i['’]ll|we['’]ll|i will|we will|let['’]s|going to) (?:use|go with|keep|take|choose|pick|stick) .{2,120}\b(?:instead of|rather than|over|because|since)\b)/iu;

/** Sentences in which a model says what it chose and over what; what it is about to look at is not a decision. */
export function decisionsOfModel(text: string): Statements {
  const statements = sentencesIn(text)
    .filter((sentence) => modelChoice.test(sentence) && !isQuestion(sentence) && !look.test(sentence))
    .slice(0, mostPerMessage)
    .map((sentence): Statement => ({ text: sentence, kind: 'decision', isChange: false, isOfModel: true }));
  return { statements, retraction: 'none' };
}

// eslint-disable-next-line regexp/no-super-linear-move -- fewer than three marks are no run; after three it always ends
const codeBlock = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)/gu;
/** Lines that were pasted: quotes, tables, stack traces, logs, diffs, markup, lists of files with sizes. */
const pasted =
  /^\s*(?:[>|+]|at \S+ \(|File "|\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d|[{}[\]<]|@@|-{3,}|={3,}|#!|\$ |\/\/|import |from \S+ import|const |let |var |def |class |function |return\b|[✓✔✗✘×⎿●⏺❯])/u;
/** Of a longer message only its beginning and end are read, in characters each: the rest is pasted material. */
const searchedCharacters = 4_000;
/** Shortest and longest sentence, in characters, that can state something. */
const shortestSentence = 4;
const longestSentence = 300;

/** The sentences of the text asked about last: a reply is read for decisions, then for steps. */
let latest: { readonly text: string; readonly sentences: readonly string[] } = { text: '', sentences: [] };

/** The prose sentences of a text, one per line, without list and heading markers. */
export function sentencesIn(text: string): readonly string[] {
  if (latest.text !== text) latest = { text, sentences: readSentences(text) };
  return latest.sentences;
}

function readSentences(text: string): readonly string[] {
  const searched =
    text.length <= 2 * searchedCharacters
      ? text
      : `${text.slice(0, searchedCharacters)}\n${text.slice(-searchedCharacters)}`;
  return searched
    .replace(codeBlock, '\n')
    .split('\n')
    .filter((line) => !pasted.test(line))
    .flatMap(piecesOf)
    .map((sentence) => factText(sentence.replace(/^(?:[-*#•·]+|\d{1,2}[.)]|\([a-z\d]\)|\s|\*\*)+\s*/u, '')))
    .filter(({ length }) => length >= shortestSentence && length <= longestSentence);
}

/** Ends of sentences on a line, with the space that follows one. */
const sentenceEnd = /([.!?][)"'”’]?)\s+(?=[\p{Lu}\p{N}"'“‘(`*_-])|[。！？；]/gu;

/** The parts of a line between its ends of sentences, each with its own. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { 0: found, 1: sign = found, index } of line.matchAll(sentenceEnd)) {
    pieces.push(line.slice(start, index + sign.length));
    start = index + found.length;
  }
  return [...pieces, line.slice(start)];
}

export function isQuestion(sentence: string): boolean {
  return (
    /[?？]["'”’)]*$/u.test(sentence) ||
    /^(?:what|why|how|when|where|who|which|is|are|does|do you|did|can you (?:explain|tell)|could|would|should)\b/iu.test(
      sentence,
    )
  );
}
