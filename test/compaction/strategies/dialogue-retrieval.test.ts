import { describe, expect, it } from 'vitest';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { dialogueRetrieval } from '../../../src/compaction/strategies/dialogue-retrieval.ts';
import { defineStrategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import { describeContract } from '../../contract/any-history.ts';
import { viewAfter } from '../../contract/contract.ts';
import { createMeter, runCompaction, type Run } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const english: readonly Message[] = [
  system('m0', 'be brief'),
  typed('m1', `Describe the lock. ${textOfTokens(300)}`),
  said('m2', `The lock is a folder: mkdir either creates it or fails. ${textOfTokens(300)}`),
  typed('m3', `Describe the store. ${textOfTokens(300)}`),
  called('m4', ['a', 'read_file', { path: 'src/store.ts' }]),
  result('m5', 'a', `The store appends <entries> to a journal. ${textOfTokens(300)}`),
  said('m6', `Entries are appended, never rewritten. ${textOfTokens(300)}`),
];
const chinese: readonly Message[] = [
  system('m0', '简短回答'),
  typed('m1', `说说锁。${textOfTokens(300)}`),
  said('m2', `锁是一个文件夹：创建成功就拿到了锁。${textOfTokens(300)}`),
  typed('m3', `说说存储。${textOfTokens(300)}`),
  said('m4', `存储把条目写进日志。${textOfTokens(300)}`),
];

describe('dialogue-retrieval', () => {
  const run = async (
    view: readonly Message[],
    options: Readonly<Record<string, unknown>> = { topK: 1 },
    more: Partial<Run> = {},
  ) => {
    const record = (await runCompaction({ view, strategy: dialogueRetrieval, options, ...more }, meter))[0]!;
    return { record, after: viewAfter(view, record) };
  };
  /** A session knows all of its messages. */
  const knowing = (history: readonly Message[]) =>
    defineStrategy({
      ...dialogueRetrieval,
      plan: (input, ports, signal) => dialogueRetrieval.plan({ ...input, history }, ports, signal),
    });
  const passagesIn = (view: readonly Message[]) =>
    view
      .filter(({ kind }) => kind === 'summary')
      .flatMap(({ content }) =>
        [...textOf(content).matchAll(/<passage_\w+ id="(\w+)"/g)].map(([, id]) => id),
      );

  it.each([
    ['English', english, 'Which folder does the lock create with mkdir?', 'm2'],
    ['English, by a name in a call', english, 'What was in src/store.ts?', 'm4'],
    ['Chinese', chinese, '锁的文件夹是怎么创建的？', 'm2'],
    ['Chinese', chinese, '条目写到哪个日志里？', 'm4'],
  ])('restores the passages that answer the newest request: %s', async (_name, earlier, request, id) => {
    const { after } = await run([...earlier, typed('m9', request)]);
    expect(after.map((message) => message.kind ?? message.id)).toEqual(['m0', 'summary', 'm9']);
    expect(passagesIn(after)).toEqual([id]);
  });

  it('keeps the newest turn unchanged', async () => {
    const turn = [
      typed('m7', 'And the lock?'),
      called('m8', ['b', 'bash']),
      result('m9', 'b', textOfTokens(500)),
    ];
    const { after } = await run([...english, ...turn]);
    expect(after.slice(-3)).toEqual(turn);
  });

  it('shows passages in their original order, with role and id, and without tags', async () => {
    const { after } = await run([...english, typed('m9', 'lock folder, store journal')], { topK: 3 });
    expect(passagesIn(after)).toEqual(['m2', 'm5', 'm6']);
    expect(textOf(after[1]!.content)).toContain(
      `<passage_${noSession} id="m5" role="tool">\nThe store appends &lt;entries&gt; to a journal.`,
    );
  });

  it('restores the newest messages in addition to the best matches', async () => {
    const { after } = await run([...english, typed('m9', 'the folder, do it')], { topK: 2 });
    expect(passagesIn(after)).toEqual(['m2', 'm6']);
  });

  it('restores the newest passages if nothing matches', async () => {
    const { after } = await run([...english, typed('m9', 'go on please')], { topK: 1 });
    expect(passagesIn(after)).toEqual(['m6']);
  });

  it('keeps a summary written by another strategy', async () => {
    const notes: Message = { ...typed('s1', 'notes'), origin: 'strategy', kind: 'summary' };
    const { after } = await run([english[0]!, notes, ...english.slice(1), typed('m9', 'the lock?')]);
    expect(after).toContain(notes);
  });

  describe('restores other passages', () => {
    const first = [...english, typed('m7', 'Which folder does the lock create?')];

    it('only once the request has changed', async () => {
      const { after } = await run(first);
      const grown = [...after, called('m8', ['b', 'bash']), result('m9', 'b', textOfTokens(900))];
      const { record } = await run(grown, { topK: 1 }, { strategy: knowing([...first, ...grown.slice(-2)]) });
      expect(record.status).toBe('unchanged');
    });

    it('for a new request, in place of the earlier passages', async () => {
      const { after } = await run(first);
      const next = [said('m8', 'A lock folder.'), typed('m9', 'To which journal does the store append?')];
      const second = await run([...after, ...next], { topK: 1 }, { strategy: knowing([...first, ...next]) });
      expect(second.after.map((message) => message.kind ?? message.id)).toEqual(['m0', 'summary', 'm9']);
      expect(passagesIn(second.after)).toEqual(['m5']);
    });

    it('for a new request, even if it begins like the previous one', async () => {
      const { after } = await run([...english, typed('m7', `${'please '.repeat(60)} the lock`)]);
      const next = [said('m8', 'done'), typed('m9', `${'please '.repeat(60)} the journal`)];
      const { record } = await run([...after, ...next]);
      expect(record.status).toBe('applied');
    });
  });

  it('changes nothing if the passages would not be smaller than the messages', async () => {
    const view = [typed('m1', 'hello'), said('m2', 'hi'), typed('m3', 'hello again')];
    expect((await run(view)).record.status).toBe('unchanged');
  });

  it('restores only as many passages as fit', async () => {
    const view = [...english, typed('m9', 'lock folder, store journal')];
    const limits = { requirement: 'hard', target: 500 } as const;
    const { record, after } = await run(view, { topK: 8 }, limits);
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'dialogue-retrieval' });
    expect(passagesIn(after)).toEqual(['m2', 'm4']);
  });

  it('warns if there was no room for any passage', async () => {
    const view = [...english, typed('m9', 'the lock?')];
    const { record, after } = await run(view, {}, { requirement: 'hard', target: 60 });
    expect(after.map(({ id }) => id)).toEqual(['m0', 'm9']);
    expect(record.warnings).toEqual(['There was no room for passages of the 6 removed messages.']);
  });

  describeContract(dialogueRetrieval, { topK: 2, passageTokens: 50 });
});
