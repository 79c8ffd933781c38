import { isFiller } from './filler.ts';
import { stopWords } from './stop-words.ts';
import type { TextRoom } from './text-room.ts';

interface Sentence {
  readonly text: string;
  readonly tokens: readonly string[];
  /** Raises what matters more than its words tell. */
  readonly factor: number;
}

/** Notes that were found worth keeping once are preferred to new sentences. */
const factorOfNotes = 1.5;
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
    this.focus = new Set(wordsOf(focus ?? ''));
  }

  addText(text: string): void {
    for (const sentence of sentencesOf(text)) if (!isFiller(sentence)) this.add(sentence, 1);
  }

  addNote(text: string): void {
    this.add(text, factorOfNotes);
  }

  /** As many of the best as fit, in the order they were said, under a title. Empty where none fits. */
  choose(room: TextRoom, title: string): string {
    const scores = this.scores();
    const best = this.sentences
      .map((sentence, index) => ({ sentence, index, score: scores[index] ?? 0 }))
      .sort((one, other) => other.score - one.score || one.index - other.index);
    const chosen: { readonly index: number; readonly text: string }[] = [];
    const said = new Set<string>();
    for (const { sentence, index } of best) {
      const repeated = sentence.tokens.filter((token) => said.has(token)).length;
      if (repeated > sentence.tokens.length * mostRepeated) continue;
      const line = `- ${sentence.text}`;
      const text = chosen.length === 0 ? `## ${title}\n${line}\n` : `${line}\n`;
      if (!room.take(text)) continue;
      chosen.push({ index, text: line });
      for (const token of sentence.tokens) said.add(token);
    }
    if (chosen.length === 0) return '';
    chosen.sort((one, other) => one.index - other.index);
    return [`## ${title}`, ...chosen.map(({ text }) => text)].join('\n');
  }

  private add(text: string, factor: number): void {
    const tokens = [...new Set(wordsOf(text))];
    const key = tokens.join(' ');
    if (tokens.length < 2 || this.seen.has(key)) return;
    this.seen.add(key);
    const isFocus = tokens.some((token) => this.focus.has(token));
    this.sentences.push({ text, tokens, factor: factor * (isFocus ? factorOfFocus : 1) });
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

/** Sentences of prose. Code, JSON, tables and headings are none. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => !isCode(line))
    .flatMap((line) =>
      line.replace(/^\s*(?:[-*+>]|\d{1,3}[.)])\s+/, '').split(/(?<=[.!?])\s+(?![a-z])|(?<=[。！？；])/u),
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

/** Words in lower case, and pairs of characters for scripts without spaces. */
export function wordsOf(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const [run] of text
    .toLowerCase()
    .matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\d_]+/gu)) {
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run)) {
      const characters = Array.from(run);
      if (characters.length === 1) tokens.push(run);
      for (let index = 1; index < characters.length; index++) {
        tokens.push(`${characters[index - 1] ?? ''}${characters[index] ?? ''}`);
      }
    } else if (run.length > 2 && !stopWords.has(run)) tokens.push(run);
  }
  return tokens;
}
