import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markEntry, type MarkRequest } from '../../../src/compaction/manual-edits/mark-sentence.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { emptyLedger, type Ledger } from '../../../src/compaction/messages/ledger.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { append, messagesOf, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { says } from '../../../src/compaction/ledger/marked-sentences.ts';
import { workState } from '../../../src/compaction/ledger/work-state.ts';
import { called, entriesOf, result, said, typed } from '../../support/messages.ts';

const now = '2026-01-01T00:00:00.000Z';

/** The session after the user marked sentences, one after the other. */
function marked(messages: readonly Message[], ...requests: readonly MarkRequest[]) {
  return requests.reduce(
    (transcript, request) => append(transcript, markEntry(transcript, request, now)!),
    transcriptOf(entriesOf(messages)),
  );
}

const factsAfter = (messages: readonly Message[], ...requests: readonly MarkRequest[]): Ledger =>
  extractLedger(messagesOf(marked(messages, ...requests)));

const summary = (id: string, ledger: Partial<Ledger>): Message => ({
  ...typed(id, 'notes'),
  origin: 'strategy',
  kind: 'summary',
  carried: { ledger: { ...emptyLedger, ...ledger } },
});

describe('a marked choice of an option', () => {
  const messages = [said('m1', 'Option 1: wait\nOption 2: retry'), typed('m2', 'let’s go with option 2')];
  const [choice = ''] = extractLedger(messages).decisions;

  it('keeps the option, and is a fact only of the marked kind', () => {
    const { decisions, marked } = factsAfter(messages, { sentence: choice, as: 'rule' });
    expect({ decisions, marked }).toEqual({
      decisions: [],
      marked: [{ text: choice, as: 'rule', said: 'let’s go with option 2' }],
    });
  });

  it('disappears, even from summaries, if it is struck', () => {
    const carried = summary('m3', { requests: ['let’s go with option 2'], decisions: [choice] });
    expect(factsAfter([...messages, carried], { sentence: choice, as: 'struck' }).decisions).toEqual([]);
  });
});

describe('a marked sentence', () => {
  const request = typed('m1', 'Fix the login page. Never touch the vendor folder.');

  it('is a fact only of the kind that the user chose', () => {
    const sentence = 'Never touch the vendor folder.';
    expect(factsAfter([request], { messageId: 'm1', sentence, as: 'decision' })).toEqual({
      ...emptyLedger,
      marked: [{ text: sentence, as: 'decision' }],
      requests: ['Fix the login page.'],
    });
  });

  it('is a fact, even if the model wrote it', () => {
    const sentence = 'The cache is invalidated by the worker.';
    const reply = said('m2', `I looked into it. ${sentence} It runs each minute.`);
    expect(factsAfter([request, reply], { messageId: 'm2', sentence, as: 'rule' }).marked).toEqual([
      { text: sentence, as: 'rule' },
    ]);
  });

  it("appears only in the user's new words if the user reworded it", () => {
    const sentence = 'Never touch the vendor folder.';
    const words = 'Change vendor/ only with a patch file.';
    const { marked, constraints } = factsAfter([request], {
      messageId: 'm1',
      sentence,
      as: 'rule',
      words,
    });
    expect({ marked, constraints }).toEqual({
      marked: [{ text: words, as: 'rule', said: sentence }],
      constraints: [],
    });
  });

  it('is no longer an open request once it is marked as done', () => {
    const { requests, marked } = factsAfter([request, typed('m2', 'Add a logout button')], {
      sentence: 'Add a logout button',
      as: 'done',
    });
    expect({ requests, marked }).toEqual({
      requests: ['Fix the login page. Never touch the vendor folder.'],
      marked: [{ text: 'Add a logout button', as: 'done' }],
    });
  });

  it('is no longer a next step once it is marked as done, even if the plan repeats it', () => {
    const plan = (id: string) =>
      called(id, [
        `${id}c`,
        'update_plan',
        { steps: [{ step: 'Write tests' }, { step: 'Update the docs' }] },
      ]);
    const done = (id: string) => result(`${id}r`, `${id}c`, 'ok');
    const transcript = marked([request, plan('m2'), done('m2')], {
      messageId: 'm2',
      sentence: 'Write tests',
      as: 'done',
    });
    const again = append(transcript, { type: 'message', message: plan('m3') });
    const later = append(again, { type: 'message', message: done('m3') });
    expect(extractLedger(messagesOf(later)).nextSteps).toEqual(['Update the docs']);
  });

  it('is found despite line breaks, lists and emphasis around its words', () => {
    const list = typed('m1', 'Rules:\n- **Never** push\n  to main.\n- Always run `npm test`.');
    const facts = factsAfter([list], { messageId: 'm1', sentence: 'Never push to main.', as: 'struck' });
    expect(JSON.stringify(facts)).not.toContain('push');
    expect(facts.constraints).toContain('Always run `npm test`.');
  });

  it('is not found inside a word or a longer sentence', () => {
    const messages = [
      typed('m1', 'Use tabs'),
      typed('m2', 'Use tabs in Makefiles, too'),
      said('m3', 'token'),
    ];
    expect(factsAfter(messages, { messageId: 'm1', sentence: 'Use tabs', as: 'struck' }).requests).toEqual([
      'Use tabs in Makefiles, too',
    ]);
  });
});

describe('says(text, sentence)', () => {
  it('is true for any sentence on a line of its own', () => {
    const sentence = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .map((text) => text.replace(/[\s*_`\p{Cs}]+/gu, ' ').trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(sentence, (text) => {
        expect(says(`Before.\n${text}\nAfter.`, text)).toBe(true);
      }),
    );
  });

  it.each([
    ['use claude-3.5 (not/4) [x] {y} $1 ^2 a|b +c?', true],
    ['use claude-3.5', false],
  ])('is true for a whole sentence, not for the beginning of one: %s', (sentence, isSaid) => {
    expect(says('- use claude-3.5 (not/4) [x] {y} $1 ^2 a|b +c?', sentence)).toBe(isSaid);
  });
});

describe('a struck sentence', () => {
  const sentence = 'Always answer in French.';

  it('is not a fact in any message', () => {
    const messages = [typed('m1', sentence), typed('m2', `${sentence} And fix the lock.`)];
    expect(factsAfter(messages, { messageId: 'm2', sentence, as: 'struck' })).toEqual({
      ...emptyLedger,
      requests: ['And fix the lock.'],
    });
  });

  it('disappears from the facts of a summary', () => {
    const carrying = summary('m2', {
      constraints: [sentence, 'Never push.'],
      requests: [`${sentence} And fix the lock.`],
      questions: [sentence],
    });
    const { constraints, requests, questions } = factsAfter([typed('m1', sentence), carrying], {
      messageId: 'm1',
      sentence,
      as: 'struck',
    });
    expect({ constraints, requests, questions }).toEqual({
      constraints: ['Never push.'],
      requests: ['And fix the lock.'],
      questions: [],
    });
  });

  it('is not a fact, even if a model quotes it word for word', () => {
    const quotes = { found: [{ kind: 'rule', id: 'm1', text: sentence }], replaced: [] } as const;
    const typedOnce = { ...typed('m1', `${sentence} And fix the lock.`), quotes };
    expect(factsAfter([typedOnce], { messageId: 'm1', sentence, as: 'struck' })).toEqual({
      ...emptyLedger,
      requests: ['And fix the lock.'],
    });
  });

  it('is a fact again once the user types it again', () => {
    const transcript = marked([typed('m1', sentence)], { messageId: 'm1', sentence, as: 'struck' });
    const later = append(transcript, { type: 'message', message: typed('m2', sentence) });
    expect(extractLedger(messagesOf(later)).constraints).toEqual([sentence]);
  });

  it('is a fact again once the mark is withdrawn', () => {
    const messages = [typed('m1', sentence)];
    expect(factsAfter(messages, { sentence, as: 'struck' }, { sentence })).toEqual(extractLedger(messages));
  });
});

describe('the state of the work', () => {
  const steps = ['Write tests', 'Update the docs'].map((step) => ({ step, status: 'pending' }));
  const plan = called('m2', ['m2c', 'update_plan', { plan: steps }]);
  const work = [typed('m1', 'Fix the lock. Always answer in French.'), plan, result('m3', 'm2c', 'ok')];

  it('contains no steps marked as done and no struck sentences', () => {
    const transcript = marked(
      work,
      { sentence: 'Write tests', as: 'done' },
      { sentence: 'Always answer in French.', as: 'struck' },
    );
    const { request, plan: left } = workState(messagesOf(transcript));
    expect([request?.text, left.map(({ text }) => text)]).toEqual(['Fix the lock.', ['Update the docs']]);
  });

  it('contains no request marked as done', () => {
    const long = `Fix the lock ${'and the lock after it '.repeat(14)}.`;
    const messages = [typed('m1', long), said('m2', 'I look.')];
    const [sentence = ''] = extractLedger(messages).requests;
    expect(workState(messagesOf(marked(messages, { sentence, as: 'done' }))).request).toBeUndefined();
  });
});

describe('a mark in a summary', () => {
  it('has its current state, not the state stored in the summary', () => {
    const sentence = 'Use port 8080.';
    const carrying = summary('m2', { marked: [{ text: sentence, as: 'rule' }] });
    const messages = [typed('m1', sentence), carrying];
    expect(factsAfter(messages, { sentence, as: 'done' }).marked).toEqual([{ text: sentence, as: 'done' }]);
    expect(factsAfter(messages, { sentence, as: 'done' }, { sentence }).marked).toEqual([]);
  });

  it('has the state stored in the summary if no newer state is known', () => {
    const fact = { text: 'Use port 8080.', as: 'rule' } as const;
    expect(extractLedger([summary('m1', { marked: [fact] })]).marked).toEqual([fact]);
  });
});
