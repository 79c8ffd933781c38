import { type Message, textOf } from '../../compaction/messages/message.ts';
import { remembered } from '../../compaction/messages/remembered.ts';
import { comparedWords } from './offline-terms.ts';

interface Sentence {
  readonly text: string;
  readonly tokens: readonly string[];
  /** Raises what matters more than its words tell. */
  readonly factor: number;
}

const factorOfFocus = 2;
const shortest = 12;
const longest = 400;
/** A sentence whose words have nearly all been said says nothing new. */
const mostRepeated = 0.8;

/**
 * Finds the sentences nearest to what a conversation is about: the centroid of its words, weighed by how few
 * sentences have them. Time grows with the length of the text alone.
 */
export class KeySentences {
  private readonly sentences: Sentence[] = [];
  private readonly seen = new Set<string>();
  private readonly focus: ReadonlySet<string>;

  constructor(focus: string | undefined) {
    this.focus = new Set(comparedWords(focus ?? ''));
  }

  addMessage(message: Message): void {
    for (const worded of sentencesIn(message)) this.add(worded);
  }

  addNote(text: string): void {
    this.add(wordedAs(text));
  }

  /**
   * As many of the best as fit, in the order they were said.
   *
   * @param room each is counted as a line of a list
   */
  choose(room: TextRoom, most: number): readonly string[] {
    const scores = this.scores();
    const best = this.sentences
      .map((sentence, index) => ({ sentence, index, score: scores[index] ?? 0 }))
      .sort((one, other) => other.score - one.score || other.index - one.index);
    const chosen: number[] = [];
    const said = new Set<string>();
    for (const { sentence, index } of best) {
      if (chosen.length >= most) break;
      const repeated = sentence.tokens.filter((token) => said.has(token)).length;
      if (repeated > sentence.tokens.length * mostRepeated) continue;
      if (!room.take(`- ${sentence.text}\n`)) continue;
      chosen.push(index);
      for (const token of sentence.tokens) said.add(token);
    }
    return chosen.sort((one, other) => one - other).map((index) => this.sentences[index]!.text);
  }

  private add({ text, tokens, key }: WordedSentence): void {
    if (tokens.length < 2 || this.seen.has(key)) return;
    this.seen.add(key);
    const isFocus = tokens.some((token) => this.focus.has(token));
    this.sentences.push({ text, tokens, factor: isFocus ? factorOfFocus : 1 });
  }

  private scores(): readonly number[] {
    const total = this.sentences.length;
    const frequency = new Map<string, number>();
    for (const { tokens } of this.sentences) {
      for (const token of tokens) frequency.set(token, (frequency.get(token) ?? 0) + 1);
    }
    // A word is central when many sentences have it, and worth little when nearly all do.
    const weight = (token: string) => {
      const count = frequency.get(token) ?? 0;
      return count * Math.log(1 + total / count) ** 1.5;
    };
    return this.sentences.map(
      ({ tokens, factor }) =>
        (factor * tokens.reduce((sum, token) => sum + weight(token), 0)) / Math.sqrt(tokens.length + 4),
    );
  }
}

interface WordedSentence {
  readonly text: string;
  /** Each once. */
  readonly tokens: readonly string[];
  /** The same for sentences of the same words. */
  readonly key: string;
}

function wordedAs(text: string): WordedSentence {
  const tokens = [...new Set(comparedWords(text))];
  return { text, tokens, key: tokens.join(' ') };
}

/** The sentences of a message that tell something. */
const sentencesIn = remembered(({ content }: Message): readonly WordedSentence[] =>
  sentencesOf(textOf(content))
    .filter((sentence) => !isFiller(sentence))
    .map(wordedAs),
);

/** Sentences of prose. Code, JSON, tables and headings are none. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => !isCode(line) && !isQuote(line) && !isCheckReport(line))
    .flatMap((line) =>
      line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '').split(/(?<=[.!?])\s+(?![a-z])|(?<=[。！？；])/u),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= (/[\u0080-\uffff]/.test(sentence) ? shortest / 2 : shortest))
    .filter((sentence) => sentence.length <= longest && !isCode(sentence));
}

function isCode(line: string): boolean {
  const trimmed = line.trim();
  if (/^(?:[{}[\]|<#]|"[^"]*"\s*:|\/\/|import\s|export\s|const\s|\$ )/.test(trimmed)) return true;
  if (/[{};]$/.test(trimmed)) return true;
  const signs = trimmed.match(/[{}[\]<>=;|\\"$&^~]/g)?.length ?? 0;
  return signs > 3 && signs > trimmed.length / 12;
}

/** Words of others: a report of a sub-agent, a passage of a file. */
function isQuote(line: string): boolean {
  return /^\s*(?:[-*+]\s+)?>/u.test(line);
}

/** A mark of success or failure and the name of a check: what came of checks stands beside the notes. */
const checkReport =
  /^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:✅|✓|✔|☑|❌|✗|✘|⚠)\uFE0F?\s*(?:\*\*)?(?:all |unit |integration |e2e |go |npm |the )*(?:tests?|lint(?:er|ing)?|eslint|type[- ]?check(?:s|ing)?|types|tsc|build|compil(?:es?|ation)|format(?:ting)?|prettier|vet|ci|checks?)\b/iu;
function isCheckReport(line: string): boolean {
  return checkReport.test(line);
}

/** Matches a path, an identifier, a number or quoted text. */
const specific = /`[^`]+`|["“«][^"“”«»]+["”»]|\d|\w[./_]\w|[a-z][A-Z]|\b[A-Z]{2,}\b/u;

/** Matches the beginning of a sentence that only announces the next step. */
const announcement =
  /^(?:(?:ok(?:ay)?|now|next|first|then|great|good|perfect|excellent|alright|sure|certainly|so|finally)\b[,.!:]?\s+)*(?:let me|let's|let us|i(?:'ll|’ll| will| need to| should| want to| am going to|'m going to|’m going to)|now i|looking at|checking|time to)\b|^(?:好的|好|现在|首先|接下来)?[，,]?(?:让我|我来|我将|我会|我们来|我先|接下来)/iu;

/** Phrases that are addressed to a person and say nothing of the work. */
const courtesy =
  /\b(?:how (?:can|may) i (?:help|assist)|what (?:would you like|can i do)|let me know|feel free|anything else|happy to help|glad to help|hope (?:this|that) helps|you(?:'re|’re| are) (?:absolutely |completely )?(?:right|welcome)|thank(?:s| you))\b|有什么.{0,8}(?:帮|协助)|请告诉我|还有.{0,6}(?:需要|问题)吗/iu;

/** Thinking that was given up in the middle. */
const givenUp =
  /^(?:wait|hmm*|hm|oops|actually|等等|等一下|不对)(?:[,.:!…，。]|\s*[-–—])|\b(?:wait|hmm+),|(?:…|\.\.\.)$/iu;

/** That something is done, without a word of what. */
const doneAgain =
  /\b(?:complete[d]?|done|successful(?:ly)?|works?|working|fixed|finished|ready|good|correct|passed|passes?)\b/iu;
const mostWordsOfDone = 6;

/** Matches an attempt that is only announced: what came of it is in a later sentence, if anything did. */
const attempt =
  /^(?:(?:ok(?:ay)?|now|so|alright|hm+)\b[,.!:]?\s+)?(?:let me|let's|let’s|let us) (?:try|check|see|look|test|start|think)\b/iu;

/** True if a sentence tells a later reader nothing: an announcement, a courtesy, a thought given up, or a half. */
export function isFiller(sentence: string): boolean {
  if (courtesy.test(sentence) || givenUp.test(sentence) || attempt.test(sentence) || isHalf(sentence)) {
    return true;
  }
  if (specific.test(sentence)) return false;
  const words = sentence.split(/\s+/u);
  return announcement.test(sentence) || (words.length <= mostWordsOfDone && doneAgain.test(sentence));
}

/** True if it leads to something that does not follow, or was cut out of the middle of something. */
function isHalf(sentence: string): boolean {
  if (/[:：,，(]$/u.test(sentence) || /^[,.;:)\]}>]/u.test(sentence)) return true;
  const count = (sign: string) => sentence.split(sign).length - 1;
  if (count('`') % 2 === 1 || count('"') % 2 === 1) return true;
  return count('(') !== count(')') || count('[') !== count(']');
}

/** Room for text that is limited twice: in characters, and in tokens that are estimated high. */
export interface TextRoom {
  /** Characters that are left. */
  readonly characters: number;
  /** Takes the text if it fits. */
  take(text: string): boolean;
  /** A room of its own with so much of what is left; what is taken there is not taken here. */
  part(share: number): TextRoom;
}

export function createTextRoom(characters: number, tokens: number): TextRoom {
  let charactersLeft = Math.max(0, characters);
  let tokensLeft = Math.max(0, tokens);
  return {
    get characters() {
      return Math.min(charactersLeft, tokensLeft);
    },
    take(text) {
      const cost = costOf(text);
      if (text.length > charactersLeft || cost > tokensLeft) return false;
      charactersLeft -= text.length;
      tokensLeft -= cost;
      return true;
    },
    part: (share) => createTextRoom(charactersLeft * share, tokensLeft * share),
  };
}

/** ASCII characters: 1 for those that are neither letters nor spaces. */
const isSign = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[^a-z\s]/i.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Tokens that a text takes at most, without a tokenizer: letters and spaces three to a token, digits and signs
 * nearly one each, everything beyond ASCII more than one each.
 */
export function costOf(text: string): number {
  let beyond = 0;
  let signs = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) beyond++;
    else if (isSign[code] === 1) signs++;
  }
  return beyond * 1.3 + signs * 0.9 + (text.length - beyond - signs) / 3;
}
