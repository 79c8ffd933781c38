import { imagePart } from '../../../src/compaction/images/image-part.ts';
import { pictures } from '../../support/pictures.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/agent/tools/catalogue.ts';
import { ChatRowBuilder } from '../../../src/presenters/chat/chat-row-builder.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { called, reminder, result, said, system, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';
import { recordedText } from '../../../src/compaction/records/reason.ts';
import type { Phrase } from '../../../src/compaction/records/record.ts';
import { modelsSentences } from '../../../src/language/english/models-english.ts';
import { wordingFor } from '../../../src/language/translated/wording.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

describe('ChatRowBuilder', () => {
  let rows: ChatRowBuilder;
  beforeEach(() => {
    rows = new ChatRowBuilder(describeCall, englishWording);
  });
  const add = (...messages: readonly Parameters<typeof typed>[0][] | readonly ReturnType<typeof typed>[]) => {
    for (const message of messages as readonly ReturnType<typeof typed>[])
      rows.addEntry({ type: 'message', message }, 42);
  };
  const row = (id: string): ChatRow | undefined => rows.all().find((candidate) => candidate.id === id);

  it('shows messages of users and models, but no text added by programs', () => {
    add(system('m1', 'rules'), typed('m2', 'hi'), reminder('m3', 'be quick'), said('m4', 'hello'));
    expect(rows.all().map(({ type, id }) => [type, id])).toEqual([
      ['user', 'm2'],
      ['assistant', 'm4'],
    ]);
  });

  it('shows each call as a separate row, which is running until its result arrives', () => {
    add(called('m1', ['a', 'read_file', { path: 'src/a.ts' }], ['b', 'search_text', { pattern: 'x' }]));
    expect(row('m1:0')).toMatchObject({ type: 'tool', state: 'running', label: 'src/a.ts' });
    add(result('m2', 'b', 'found'));
    expect(row('m1:0')).toMatchObject({ state: 'running' });
    expect(row('m1:1')).toMatchObject({ state: 'done', tokens: 42, preview: 'found', isClipped: false });
  });

  it('states the message of a call, and the file named in the arguments', () => {
    add(called('m1', ['a', 'read_file', { path: 'src/a.ts' }], ['b', 'search_text', { pattern: 'x' }]));
    expect(row('m1:0')).toMatchObject({ callerId: 'm1', path: 'src/a.ts' });
    expect(row('m1:1')).toMatchObject({ callerId: 'm1', path: undefined });
  });

  it('includes the tokens of a message, and its pictures without data', () => {
    const gone = { type: 'image_url', image_url: { url: 'data:' } };
    const picture = imagePart({ type: 'image/png', base64: pictures.png });
    const items = [{ label: '#picture-0123456789', type: 'picture', tokens: 255, characters: 0 }] as const;
    add({
      ...typed('m1', ''),
      content: [{ type: 'text', text: 'Look' }, gone, picture],
      attached: { typedLength: 4, items },
    });
    expect(row('m1')).toMatchObject({
      text: 'Look',
      pictures: [{ key: '0:m1' }, { key: '1:m1', size: { width: 7, height: 5 }, tokens: 255 }],
      tokens: 42,
    });
    expect(JSON.stringify(row('m1'))).not.toContain('base64');
  });

  it('marks a failed call', () => {
    add(called('m1', ['a', 'read_file']), { ...result('m2', 'a', 'no such file'), isError: true });
    expect(row('m1:0')).toMatchObject({ state: 'failed' });
  });

  it.each([
    ['refused', 'declined'],
    ['notAllowed', 'declined'],
    ['skipped', 'failed'],
    ['cancelled', 'interrupted'],
    ['running', 'done'],
  ] as const)('shows a call that was %s as %s', (end, state) => {
    add(called('m1', ['a', 'run_command']), { ...result('m2', 'a', 'x'), isError: true, outcome: { end } });
    expect(row('m1:0')).toMatchObject({ state });
  });

  it('sends only the beginning of a long result', () => {
    add(called('m1', ['a', 'read_file']), result('m2', 'a', 'x'.repeat(100_000)));
    const tool = row('m1:0');
    expect(tool).toMatchObject({ isClipped: true });
    expect(JSON.stringify(tool).length).toBeLessThan(3_000);
    expect(rows.resultOf('m1:0')).toBe('m2');
  });

  it('assigns a result with a reused id to the newest waiting call', () => {
    add(
      called('m1', ['call_0', 'x']),
      result('m2', 'call_0', 'one'),
      called('m3', ['call_0', 'x']),
      result('m4', 'call_0', 'two'),
    );
    expect(row('m1:0')).toMatchObject({ preview: 'one' });
    expect(row('m3:0')).toMatchObject({ preview: 'two' });
  });

  it('marks calls without a result as interrupted when the turn ends', () => {
    add(called('m1', ['a', 'read_file']));
    rows.endTurn();
    expect(row('m1:0')).toMatchObject({ state: 'interrupted' });
  });

  it('extends a reply while it is streamed, and finally shows the whole reply', () => {
    expect(rows.addStreamed('text', 'm1', 'Hel')).toMatchObject([
      { type: 'row', row: { state: 'streaming', markdown: 'Hel' } },
    ]);
    expect(rows.addStreamed('text', 'm1', 'lo')).toEqual([{ type: 'text', id: 'm1', text: 'lo' }]);
    expect(row('m1')).toMatchObject({ markdown: 'Hello' });
    add(said('m1', 'Hello!'));
    expect(row('m1')).toMatchObject({ markdown: 'Hello!', state: 'done' });
  });

  it('marks a stopped reply', () => {
    rows.addStreamed('text', 'm1', 'Hel');
    rows.endTurn();
    expect(row('m1')).toMatchObject({ state: 'stopped' });
    add({ ...said('m2', 'half'), interrupted: true });
    expect(row('m2')).toMatchObject({ state: 'stopped' });
  });

  it('shows a compaction and its undo in one row', () => {
    rows.addEntry({ type: 'compaction', record: recordWith('c1', [], []) }, 0);
    expect(row('c1')).toMatchObject({ type: 'compaction', strategy: 'test', isUndone: false });
    rows.addEntry({ type: 'undo', createdAt: '', recordIds: ['c1'] }, 0);
    expect(row('c1')).toMatchObject({ isUndone: true });
  });

  it('shows the requested strategy and the strategy that replaced it', () => {
    const record = { ...recordWith('c1', [], []), actualStrategy: 'fold', requestedStrategy: 'llm-summary' };
    rows.addEntry({ type: 'compaction', record }, 0);
    expect(row('c1')).toMatchObject({ strategy: 'fold', requestedStrategy: 'llm-summary' });
  });

  it('keeps the error of a turn at the end until it is removed', () => {
    rows.setTurn({ type: 'turn', outcome: 'failed', message: '500' });
    add(typed('m1', 'again'));
    rows.setTurn({ type: 'turn', outcome: 'failed', message: '503' });
    expect(rows.all().map(({ id }) => id)).toEqual(['m1', 'turn']);
    expect(rows.setTurn(undefined)).toEqual([{ type: 'row-removed', id: 'turn' }]);
    expect(rows.setTurn(undefined)).toEqual([]);
  });

  describe('in Chinese', () => {
    const host = 'api.example.com';
    const status = modelsSentences.say('httpStatus', { status: '408' });
    const message = modelsSentences.say('hostTimedOut', { host, status });
    const failure = modelsSentences.say('withServerWords', { message, words: 'Run the tests. Stopped.' });
    const noteOf = (note: Phrase) => ({
      ...{ sessionId: 's', name: 'Run', task: 'Stopped.', dependsOn: [], tokens: 1, note },
      state: 'running' as const,
    });
    beforeEach(async () => {
      rows = new ChatRowBuilder(describeCall, await wordingFor('zh-cn'));
    });

    it("explains why a turn failed, with the server's message unchanged", () => {
      rows.setTurn({ type: 'turn', outcome: 'failed', ...recordedText(failure) });
      expect(row('turn')).toMatchObject({
        message: 'api.example.com 超时（HTTP 408）。请重试。服务器返回：Run the tests. Stopped.',
      });
    });

    it('shows the stored text of a failed turn from an earlier version', () => {
      rows.setTurn({ type: 'turn', outcome: 'stopped', message: 'Stopped.' });
      expect(row('turn')).toMatchObject({ message: 'Stopped.' });
    });

    it('describes sub-agents, but leaves text written by them unchanged', () => {
      add(called('m1', ['a', 'delegate']));
      rows.setSubAgents('m1:0', [
        noteOf(modelsSentences.say('subAgentAwaitsApproval')),
        noteOf('Run the tests. Edit the notes.'),
        noteOf('Stopped.'),
      ]);
      expect(row('m1:0')).toMatchObject({
        subAgents: [
          { note: '等待你的批准' },
          { note: 'Run the tests. Edit the notes.' },
          { note: 'Stopped.' },
        ],
      });
    });
  });
});
