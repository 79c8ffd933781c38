import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '../../src/compaction/records/record.ts';
import { chineseEngineSentences } from '../../src/insights/chinese-engine-sentences.ts';
import { reasonSubjects, reasonText, tierTexts } from '../../src/insights/engine-sentences.ts';
import { sentenceLookup } from '../../src/insights/known-sentences.ts';
import { sourceTexts, type SourceText } from '../support/source-texts.ts';

const lookup = sentenceLookup(chineseEngineSentences);
const inChinese = (english: string): string => lookup(english) ?? english;
const inEnglish = (english: string): string => english;
const codes = Object.keys(reasonSubjects) as readonly ReasonCode[];
const english = Object.keys(chineseEngineSentences);

/** Titles, descriptions and instructions are in other tables, or for the model. */
const elsewhere = new Set(['title', 'description', 'instructions', 'task', 'placeholder']);
/** Files that write for the model, and those whose texts are names and patterns. */
const notForPeople =
  /\/(?:ledger|retrieval|tokens)\/|\/(?:clip|exchange|placeholder|transcript|service|serialise|snapshot|anchored|form|facts|allocation)\.ts$/u;
/** What the model reads of files that speak to people, too, and what is only a part of a sentence. */
const noSentences: ReadonlySet<string> = new Set([
  '{} earlier messages were folded without a model; recall(id) returns them.',
  '## Earlier notes (data)',
  '[Notes by the program, not the person. Data, no request.]',
  'Passages of earlier messages, chosen for the request: ',
  'The rest of them is not in view; recall returns all of a message by its id.',
  'the tool',
  '{} earlier messages were compacted by the provider into an item that cannot be inspected. recall(id) returns the originals.',
  'Facts from {} earlier messages, {} tool results among them. Most of what is not about one of the concepts was left out; recall(id) returns it.',
  '{} message {}.',
  'The same as',
  'Superseded by',
  '[{} earlier messages left out]\n',
  'the conversation above',
  '\nPay particular attention to: {}\n\n{}',
  'All of the conversation above will leave the context.',
  'Everything before the {} message that begins with {} will leave the context; that message and all after it stay, so the notes need not repeat them.',
  '<passage id="{}" role="{}">\n{}\n</passage>',
  '{}: the answer',
  'The model',
  'What was said, and calls with their arguments',
  'Tool results',
  'Files that were read',
  'Arguments of a call',
  'Results and other texts',
  'exit status {}',
]);

const engineTexts = sourceTexts('src/compaction/**/*.ts', elsewhere);
const words = /\p{L} \p{L}|\} \p{L}/u;
const saidToPeople = engineTexts.filter(
  ({ file, text }) => words.test(text) && !notForPeople.test(file) && !noSentences.has(text),
);

/** As it is said, with a number wherever something is filled in. */
function example({ text }: SourceText): string {
  return text.replaceAll('{}', '1');
}

/** Recognises what a source text becomes, whatever is filled in; undefined where that could be anything. */
function patternOf({ text }: SourceText): RegExp | undefined {
  if (!/\p{L}{2}/u.test(text)) return undefined;
  const pieces = text.split('{}').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  return new RegExp(`^${pieces.join('.+')}$`, 'u');
}

describe('what the engine says', () => {
  it('is found in its sources', () => {
    const texts = saidToPeople.map(({ text }) => text);
    for (const text of ['not touched', 'The summary is empty.', 'No text is longer than {} characters.']) {
      expect(texts).toContain(text);
    }
  });

  it('has Chinese words for each of its sentences', () => {
    const unknown = saidToPeople.filter((said) => !/\p{Script=Han}/u.test(inChinese(example(said))));
    expect(unknown).toEqual([]);
  });

  it('has no Chinese words for what is not said', () => {
    const patterns = [
      ...engineTexts,
      ...sourceTexts('src/agent/custom-strategy/*.ts', new Set()),
      ...sourceTexts('src/transcripts/foreign-compactions.ts', new Set()),
      ...Object.values(reasonSubjects).map((text) => ({ file: '', text: `${text}: {}` })),
    ].flatMap((said) => patternOf(said) ?? []);
    const isSaid = (sentence: string) => patterns.some((pattern) => pattern.test(sentence));
    // The name of a custom strategy is put before what its thread says.
    expect(english.filter((key) => !isSaid(key) && !isSaid(key.replace('{0}: ', '')))).toEqual([]);
  });

  it('is filled in with the same in both languages', () => {
    const holesIn = (text = '') => [...text.matchAll(/\{#?(\d+)\}/gu)].map(([, name]) => name).sort();
    const differing = english.filter(
      (key) => holesIn(chineseEngineSentences[key]).join() !== holesIn(key).join(),
    );
    expect(differing).toEqual([]);
  });
});

describe('a reason', () => {
  it('is the sentence itself where that is known', () => {
    const reason = {
      code: 'not-smaller',
      message: 'The view would take 90 tokens, now it takes 80.',
    } as const;
    expect(reasonText(reason, inChinese)).toBe('上下文将占 90 个 token，而现在占 80 个。');
    expect(reasonText(reason, inEnglish)).toBe(reason.message);
  });

  it.each(codes)('says what it is about where its words are somebody else’s: %s', (code) => {
    const reason = { code, message: 'quota exceeded' };
    expect(reasonText(reason, inChinese)).toMatch(/^\p{Script=Han}+.*：quota exceeded$/u);
    expect(reasonText(reason, inEnglish)).toBe('quota exceeded');
  });

  it('translates the failure that a sentence passes on', () => {
    const message = 'Nothing was found out about "goal": The summary is empty.';
    expect(inChinese(message)).toBe('未能找到有关 "goal" 的内容：摘要为空。');
  });

  it('names a custom strategy as it is', () => {
    const message = './mine.mjs#Halve: plan.actions[2].id must be a text, not an object.';
    expect(reasonText({ code: 'custom-invalid', message }, inChinese)).toBe(
      './mine.mjs#Halve: plan.actions[2].id 必须是文本，而不是 对象。',
    );
  });
});

describe('the tiers of a record', () => {
  const reason = { code: 'summary-empty', message: 'The summary is empty.' } as const;
  const tiers = [
    { strategy: 'ladder', status: 'refused', reason },
    { strategy: 'fold', status: 'applied' },
  ] as const;

  it('give their reasons in the language of the reader', () => {
    expect(tierTexts(tiers, inChinese)).toEqual([
      { ...tiers[0], reason: { code: 'summary-empty', message: '摘要为空。' } },
      tiers[1],
    ]);
    expect(tierTexts(tiers, inEnglish)).toEqual(tiers);
  });
});
