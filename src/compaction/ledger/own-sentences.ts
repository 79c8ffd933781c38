import { headOf, tailOf } from '../text/clip.ts';
import { factText, longestFact } from './call-facts.ts';

/** Openings of lines that programs write: quotes, tables, stack traces, logs, prompts of shells, diffs, markup. */
const programLine =
  /^\s*(?:[>|+│┃└├┌╭╰✓✔✗✘×⎿●⏺⚠}\]]|[[{]\s*["[{]|<[^<>]+>.*>$|<[^<>]+>$|@@|#!|\/\/|\/\*|\*\/|[$%❯➜»] |###STOP###$|at \S+ ?\(|File "|Traceback |\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d|\[[A-Z]{3,8}\]|(?:[\w./-]+:)?\d+:\d+|(?:\w+ )?(?:warning|error|info|debug|fatal|err!|warn|exception|notice|deprecated|warnung|fehler)\b ?[:(\]]|npm (?:err|warn|error)|\w*(?:Error|Exception|Warning): )/iu;
const codeLine =
  /^\s*(?:(?:import|export|const|let|var|return|public|private|function|class)\b.*[;{}(]|(?:const|let|var) \w+ ?=.*|(?:def|class) \w.*:|from \S+ import .*|import \S+ from .*)$/u;
/** Openings of lines that compilers print, in lower case only, because users write "Note: …". */
const compilerLine = /^\s*(?:note|hint|help): /u;
/** A place in a file. Reviews and compilers name places; statements of users rarely do. */
const place = /\b[\w./-]+\.\w{1,5}:\d+\b|\blines? \d+\b|#L\d+\b/iu;
const listItem = /^\s*(?:[-*•·]|\d{1,2}[.)]|\([a-z\d]\))\s+/u;
const lineMarker = /^\s*(?:(?:[-*+•·]|\d{1,3}[.)]|\([a-z\d]\)|#{1,6})\s+)+(?:\[[ xX]\]\s+)?/u;
const heading = /^\s{0,3}(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)|^\s*(?:={3,}|-{3,})\s*$/u;
const fence = /^\s*(`{3,}|~{3,})/u;
/** A line ending that introduces a quotation or a list. */
const leadIn = /[:：]\s*$/u;
/** Introductions of lists in the user's own words. */
const ownLeadIn =
  /^\W*(?:my |the |some |a few |hard |ground |two |three |also |and |please |follow |here are )*(?:rules?|constraints?|requirements?|decisions?|guidelines?|conditions?|remember|important|note|please|regeln|vorgaben|entscheidungen|bitte|规则|要求|注意|决定)[^.]{0,30}[:：]\s*$/iu;

/** Returns the user's lines of a text, without fences, quotes, logs and code. */
export function ownLines(text: string): readonly string[] {
  return shownLines(text).filter((line) => line !== undefined);
}

/** Returns the lines outside fences, with undefined for each line that a program wrote. */
function shownLines(text: string): readonly (string | undefined)[] {
  return linesOutsideFences(text).map((line) => {
    const isOfProgram = [programLine, codeLine, compilerLine].some((pattern) => pattern.test(line.trimEnd()));
    return isOfProgram ? undefined : line;
  });
}

/** Returns the lines of a text outside fences. */
export function linesOutsideFences(text: string): readonly string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      if (open === undefined) open = mark;
      else if (mark.startsWith(open)) open = undefined;
      continue;
    }
    if (open === undefined) lines.push(line);
  }
  return lines;
}

/**
 * Returns the lines in which a user can state a rule or decision. All text after a heading, after an
 * introduction like "Here is the review:", or below a program's line may be pasted.
 */
function settlingLines(text: string): readonly string[] {
  const lines: string[] = [];
  let isPasted = false;
  for (const line of shownLines(text)) {
    isPasted = line === undefined || (isPasted && line.trim() !== '');
    if (line === undefined || isPasted) continue;
    if (heading.test(line)) break;
    if (!(listItem.test(line) && place.test(line))) lines.push(line);
    if (leadIn.test(line) && !ownLeadIn.test(line)) break;
  }
  return lines;
}

/** Maximum length of a text that is searched for sentences, in characters. A longer text is a pasted document. */
const longestRead = 6_000;
/** Maximum length of a sentence that can state a rule or decision, in characters. */
const longestSentence = 250;

/** Returns the sentences in which a user can state a rule or decision, each on one line, without list markers. */
export function settlingSentences(text: string): readonly string[] {
  if (text.length > longestRead) return [];
  return joined(settlingLines(text))
    .flatMap(sentencesOf)
    .filter((sentence) => sentence.length <= longestSentence && /\p{L}/u.test(sentence));
}

/**
 * Returns the user's words at both ends of a text that is too long for one line or contains pasted text. For pasted
 * text, these are the first sentence, and the last line unless a program wrote it. Undefined for other texts.
 */
export function wordsAtEnds(text: string): string | undefined {
  const typed = text.trimEnd();
  const lines = typed.split('\n');
  const shown = shownLines(typed);
  const isPasted =
    typed.length > longestRead ||
    shown.filter((line) => line !== undefined).length < lines.length ||
    lines.some((line) => heading.test(line));
  if (isPasted) {
    const [first = ''] = settlingSentences(typed.slice(0, longestRead));
    const last = shown.at(-1) === lines.at(-1) ? factText(shown.at(-1) ?? '') : '';
    const words = last.startsWith(first) ? [last] : [first, last];
    return words.filter((part) => part !== '').join(' … ') || undefined;
  }
  const line = typed.replace(/\s+/gu, ' ').trim();
  if (line.length <= longestFact) return undefined;
  const head = headOf(line, longestFact / 2);
  const tail = tailOf(line, longestFact / 2);
  return `${head.slice(0, head.lastIndexOf(' '))} …${tail.slice(tail.indexOf(' '))}`;
}

/**
 * Returns the sentences of prose by any author, each on one line. Removes emphasis and the markers of lists
 * and headings. Excludes code in fences and quoted lines.
 */
export function proseSentences(text: string): readonly string[] {
  const lines = linesOutsideFences(text).filter((line) => !/^\s*>/u.test(line));
  return joined(lines).flatMap(sentencesOf);
}

/** Minimum number of characters of a line that an editor or a terminal may have wrapped. */
const shortestBroken = 60;

/** Joins lines that were wrapped within a sentence. */
function joined(lines: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const before = whole.at(-1);
    const isBroken =
      before !== undefined &&
      before.length >= shortestBroken &&
      /[\p{Ll},]$/u.test(before) &&
      /^\s*\p{Ll}/u.test(line);
    if (isBroken) whole[whole.length - 1] = `${before} ${line.trim()}`;
    else whole.push(line);
  }
  return whole;
}

/** Ends of sentences, except after abbreviations and list numbers. */
const sentenceEnd =
  /(?<!\b(?:[eE]\.g|[iI]\.e|etc|vs|cf|approx|incl|[nN]o|[nN]r|z\.[bB]|d\.h|bzw|ca|usw)|^\d{1,2})[.!?…]["'”’)\]]{0,3} (?!(?:is|are|was|has)\b)|(?<=[。！？；])/u;

function sentencesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line.replace(lineMarker, '').replaceAll('**', '').replace(/\s+/gu, ' ').trim();
  for (;;) {
    const found = sentenceEnd.exec(rest);
    if (found === null) break;
    const end = found.index + found[0].length;
    if (end >= rest.length) break;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest].map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** Introductory words of a clause. */
const lead =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|no(?=[,.])|nope|also|and|but|so|then|please|pls|note(?: that)?|important|again|finally|first|second(?:ly)?|for now|however|in general|great|cool|good|nice|perfect|thanks|thank you|btw|hey|hi|sure|right|alright|well|actually|instead(?! of)|just|now|hmm+|wait(?! for)|oh|ja|nein|gut|bitte|dann|und|aber|好的?|请|那|嗯|但是?|另外)(?:[,.!，]? |[，,]|(?<=\p{Script=Han})))+/iu;
const clauseEnd = /[,;] | [—–-] | (?:and|but|so|then|und|aber|dann) |[，；]/iu;
/** Maximum number of words before a colon that only introduce the rest: "One more thing: …". */
const mostAnnouncing = 3;

/** Returns the clauses of a sentence, without introductory words and closing punctuation. */
export function clausesOf(sentence: string): readonly string[] {
  const whole = [sentence, ...(afterAnnouncement(sentence) ?? [])];
  const clauses = whole.flatMap((text) => [
    text,
    ...text.split(clauseEnd).slice(1),
    ...text.split(clauseEnd).slice(0, 1),
  ]);
  return [...new Set(clauses.map((clause) => withoutClosingPunctuation(clause.trim().replace(lead, ''))))];
}

const endMarks = new Set('.!…。！；"\'”’) ');

/** Removes closing punctuation. */
export function withoutClosingPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && endMarks.has(text[end - 1]!)) end--;
  return text.slice(0, end);
}

function afterAnnouncement(sentence: string): readonly string[] | undefined {
  const at = sentence.search(/[:：]/u);
  if (at < 0 || sentence.slice(0, at).split(/\s+/u).length > mostAnnouncing) return undefined;
  return [sentence.slice(at + 1).trim()];
}

/** True for a question. */
export function isAskingSentence(sentence: string): boolean {
  return (
    /[?？]["'”’)]*$/u.test(sentence) ||
    /(?:吗|呢|么)[。.]?$/u.test(sentence) ||
    /^(?:(?:and|but|so|ok(?:ay)?|also|hmm),? )?(?:(?:what|why|how|who|which|where|did|do|does|can|warum|wieso|wie|was|wer|kannst|könnte|sollen)(?: (?:you|we|i|they|it|the|this|that|about|come|is|are|was|does|do|did|can|should|would|du|wir|ich)\b|['’]s\b)|(?:is|are|was|could|would|should|shall|soll) (?:it|this|that|there|the|we|i|you|they|an?|my|our|ich|wir|das|die|der)\b)/iu.test(
      sentence,
    )
  );
}
