import { describe, expect, it } from 'vitest';
import { editableText } from '../../../src/compaction/manual-edits/fixed-plan.ts';
import { hideSelection } from '../../../src/compaction/manual-edits/hide.ts';
import { rewind } from '../../../src/compaction/manual-edits/rewind.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import type { ReadPresentFile } from '../../../src/compaction/files/restored-files.ts';
import { partOf } from '../../../src/compaction/service/part.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { retrieveFacts } from '../../../src/compaction/strategies/retrieve-facts.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { manuallyHidden } from '../../../src/compaction/transcript/view.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { never, ServiceHarness } from '../service/service-harness.ts';

const meter = await createMeter();

/** Two turns: one with an exchange of two calls, one of talk. */
function session(): ServiceHarness {
  const harness = new ServiceHarness(meter);
  harness.host.say(
    system('s', 'Rules.'),
    typed('u1', `look around ${textOfTokens(100)}`),
    called('a1', ['x', 'read_file', { path: 'src/a.ts' }], ['y', 'read_file', { path: 'src/b.ts' }]),
    result('r1', 'x', textOfTokens(400)),
    result('r2', 'y', textOfTokens(300)),
    said('a2', textOfTokens(200)),
    typed('u2', 'and now?'),
    said('a3', textOfTokens(150)),
  );
  return harness;
}

const idsOf = ({ host }: ServiceHarness) => host.transcript.view.map(({ id }) => id);

describe('hiding by hand', () => {
  it('replaces a result with a reference if the call of the result stays', async () => {
    const harness = session();
    const record = await harness.service.compactNow({ strategy: hideSelection({ messages: ['r1'] }) }, never);
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'hide', requestedStrategy: 'hide' });
    const hidden = harness.host.transcript.view.find(({ id }) => id === 'r1');
    expect(textOf(hidden?.content ?? null)).toMatch(
      /^\[Hidden by the user\. Result of read_file: \d+ tokens\. recall\("r1"\)/,
    );
  });

  it('removes a call with all its results, or a single message', async () => {
    const harness = session();
    await harness.service.compactNow({ strategy: hideSelection({ messages: ['a1', 'a3'] }) }, never);
    expect(idsOf(harness)).toEqual(['s', 'u1', 'a2', 'u2']);
  });

  it('hides nothing else, even if the context is still too large', async () => {
    const harness = session();
    harness.settings = { ...harness.settings, budget: { ...harness.settings.budget, window: 500 } };
    await harness.service.compactNow({ strategy: hideSelection({ messages: ['a3'] }) }, never);
    expect(idsOf(harness)).toEqual(['s', 'u1', 'a1', 'r1', 'r2', 'a2', 'u2']);
    expect(harness.records).toHaveLength(1);
  });

  it('is refused for protected messages', async () => {
    const harness = session();
    const record = await harness.service.compactNow({ strategy: hideSelection({ messages: ['u2'] }) }, never);
    expect(record).toMatchObject({ status: 'refused', reason: { code: 'protected-changed' } });
    expect(idsOf(harness)).toContain('u2');
  });

  it('can hide only the pictures of a message', async () => {
    const harness = session();
    const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4_000)}` } };
    harness.host.say(
      {
        role: 'user',
        origin: 'person',
        content: [{ type: 'text', text: 'what is this?' }, picture],
        attached: { typedLength: 13, items: [] },
        id: 'u3',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      said('a4', 'a cat'),
      typed('u4', 'thanks'),
    );
    await harness.service.compactNow({ strategy: hideSelection({ messages: [], pictures: ['u3'] }) }, never);
    const left = harness.host.transcript.view.find(({ id }) => id === 'u3');
    expect(left?.content).toEqual([
      { type: 'text', text: 'what is this?' },
      { type: 'text', text: '[image left out]' },
    ]);
  });

  it('persists after a later compaction and its undo', async () => {
    const harness = session();
    await harness.service.compactNow({ strategy: hideSelection({ messages: ['a2'] }) }, never);
    harness.fill(3_000);
    const later = harness.service.compactNow({ strategy: llmSummary }, never);
    const record = await harness.answering(later);
    expect(record.status).toBe('applied');
    expect([...manuallyHidden(harness.host.transcript.entries).keys()]).toEqual(['a2']);
    await harness.service.undo(record.id);
    expect(idsOf(harness)).not.toContain('a2');
  });

  it('is exactly undone when the messages are shown again', async () => {
    const harness = session();
    const before = JSON.stringify(harness.host.transcript.view);
    await harness.service.compactNow({ strategy: hideSelection({ messages: ['a1', 'a2'] }) }, never);
    await harness.service.restore('a2');
    expect([...manuallyHidden(harness.host.transcript.entries).keys()]).toEqual(['a1', 'r1', 'r2']);
    await harness.service.restore('r1');
    expect(JSON.stringify(harness.host.transcript.view)).toBe(before);
  });
});

describe('hiding a message that a compaction added', () => {
  const readFile: ReadPresentFile = (path) =>
    Promise.resolve({ path, lines: ['export const lock = 1;'], modifiedAt: 0 });

  /** A session with a summary and a restored file after it. */
  async function summarised(): Promise<ServiceHarness> {
    const harness = new ServiceHarness(meter, { readFile });
    harness.settings = { ...harness.settings, restoreFiles: { files: 5, tokens: 5_000 } };
    harness.host.say(
      typed('u1', 'raise it'),
      called('a1', ['x', 'edit_file', { path: 'src/lock.ts' }]),
      result('r1', 'x', 'Done.'),
      said('a2', textOfTokens(3_000)),
      typed('u2', 'and now?'),
    );
    await harness.answering(harness.service.compactNow({ strategy: llmSummary, part: { to: 'a2' } }, never));
    expect(idsOf(harness)).toEqual(['c1.1', 'c1.2', 'u2']);
    return harness;
  }

  it.each([
    ['a restored file', 'c1.2'],
    ['a summary', 'c1.1'],
  ])('lists %s as hidden, and can show it again unchanged', async (_what, id) => {
    const harness = await summarised();
    const before = JSON.stringify(harness.host.transcript.view);
    await harness.service.compactNow({ strategy: hideSelection({ messages: [id] }) }, never);
    expect(idsOf(harness)).not.toContain(id);
    expect([...manuallyHidden(harness.host.transcript.entries).keys()]).toEqual([id]);

    expect(await harness.service.restore(id)).toEqual([id]);
    expect(manuallyHidden(harness.host.transcript.entries).size).toBe(0);
    expect(JSON.stringify(harness.host.transcript.view)).toBe(before);
    expect(transcriptOf(harness.host.transcript.entries).view).toEqual(harness.host.transcript.view);
  });

  it('cannot be undone for the id of any other message', async () => {
    const harness = await summarised();
    await expect(harness.service.restore('c1.3')).rejects.toThrow('c1.3');
  });
});

describe('compacting a part of the conversation', () => {
  it('widens the part to whole exchanges, and reports this', () => {
    const { host } = session();
    expect(partOf(host.transcript, { from: 'r1', to: 'a2' })).toEqual({
      start: 2,
      end: 6,
      rewinds: false,
      isWidened: true,
    });
    expect(partOf(host.transcript, { from: 'a1', to: 'a2' })).toMatchObject({ isWidened: false });
    expect(partOf(host.transcript, { to: 'u1' })).toMatchObject({ start: 0, end: 2 });
    expect(partOf(host.transcript, { from: 'nobody' })).toBeUndefined();
  });

  it('summarises all of the part, and no other messages', async () => {
    const harness = session();
    const part = { to: 'a2' };
    const record = await harness.answering(harness.service.compactNow({ strategy: llmSummary, part }, never));
    expect(record).toMatchObject({ status: 'applied', part: { firstId: 's', lastId: 'a2' } });
    expect(idsOf(harness)).toEqual(['s', 'c1.1', 'u2', 'a3']);
  });

  it('can include the newest messages', async () => {
    const harness = session();
    const part = { from: 'u2' };
    harness.host.say(
      called('a4', ['z', 'read_file']),
      result('r3', 'z', textOfTokens(500)),
      said('a5', 'done'),
    );
    await harness.answering(harness.service.compactNow({ strategy: llmSummary, part }, never));
    expect(idsOf(harness)).toEqual(['s', 'u1', 'a1', 'r1', 'r2', 'a2', 'u2', 'c1.1']);
  });

  it('yields only facts of the part', async () => {
    const harness = session();
    const strategy = retrieveFacts;
    const record = await harness.answering(
      harness.service.compactNow({ strategy, part: { from: 'u2' } }, never),
    );
    expect(JSON.stringify(record.outputs)).not.toContain('src/a.ts');
  });

  it('does nothing if none of the messages are in context', async () => {
    const harness = session();
    await harness.service.compactNow({ strategy: hideSelection({ messages: ['a2'] }) }, never);
    const part = { from: 'a2', to: 'a2' };
    const record = await harness.service.compactNow({ strategy: llmSummary, part }, never);
    expect(record).toMatchObject({ status: 'unchanged', reason: { code: 'nothing-to-do' } });
  });
});

describe('continuing from an earlier message', () => {
  it('removes everything after the message, including the newest request', async () => {
    const harness = session();
    const part = { from: 'a2', rewinds: true };
    const record = await harness.service.compactNow({ strategy: rewind, part }, never);
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'rewind' });
    expect(idsOf(harness)).toEqual(['s', 'u1', 'a1', 'r1', 'r2']);
    expect([...manuallyHidden(harness.host.transcript.entries).keys()]).toEqual(['a2', 'u2', 'a3']);
  });

  it('can remove the first request of the session', async () => {
    const harness = session();
    await harness.service.compactNow({ strategy: rewind, part: { from: 'u1', rewinds: true } }, never);
    expect(idsOf(harness)).toEqual(['s']);
    expect(harness.records.at(-1)?.status).toBe('applied');
  });

  it('can replace the removed messages with a summary', async () => {
    const harness = session();
    const part = { from: 'a2', rewinds: true };
    await harness.answering(harness.service.compactNow({ strategy: llmSummary, part }, never));
    expect(idsOf(harness)).toEqual(['s', 'u1', 'a1', 'r1', 'r2', 'c1.1']);
  });
});

describe('a previewed summary', () => {
  const request = { strategy: llmSummary, part: { to: 'a2' } };

  async function previewed() {
    const harness = session();
    const preview = await harness.answering(harness.service.preview(request, never));
    const [output] = preview.record.outputs;
    const edit = (text: string) =>
      harness.service.previewEdited(preview, [{ outputId: output!.id, text }], request, never);
    return { harness, preview, output: output!, edit };
  }

  it('is not added to the session', async () => {
    const { harness, output } = await previewed();
    expect(harness.records).toEqual([]);
    expect(editableText(output)).toContain('notes');
  });

  it("is applied with the user's edits, and marked as edited", async () => {
    const { harness, edit } = await previewed();
    const { record, base } = await edit('The lock is in src/lock.ts.');
    expect(record).toMatchObject({ status: 'applied', isEdited: true, actualStrategy: 'llm-summary' });
    const applied = await harness.service.applyRecord(record, base);
    expect(applied.status).toBe('applied');
    const summary = harness.host.transcript.view.find(({ kind }) => kind === 'summary');
    expect(textOf(summary!.content)).toContain('The lock is in src/lock.ts.');
    expect(textOf(summary!.content)).toMatch(/^<conversation_summary/);
  });

  it.each([
    ['empty', '  ', 'summary-whitespace'],
    ['cut off', '<summary>The lock', 'summary-unclosed'],
    ['larger than the messages it replaces', textOfTokens(3_000), 'summary-inflated'],
  ])('is refused if it is %s', async (_case, text, code) => {
    const { edit } = await previewed();
    const { record } = await edit(text);
    expect(record).toMatchObject({ status: 'refused', reason: { code } });
    expect(record.isEdited).toBeUndefined();
  });

  it('restores files in their current state when it is applied with edits', async () => {
    let lines = ['export const lock = 1;'];
    const readFile: ReadPresentFile = (path) => Promise.resolve({ path, lines, modifiedAt: 0 });
    const harness = new ServiceHarness(meter, { readFile });
    harness.settings = { ...harness.settings, restoreFiles: { files: 5, tokens: 5_000 } };
    harness.host.say(
      typed('u1', 'raise it'),
      called('a1', ['x', 'edit_file', { path: 'src/lock.ts' }]),
      result('r1', 'x', 'Done.'),
      said('a2', textOfTokens(3_000)),
      typed('u2', 'and now?'),
    );
    const preview = await harness.answering(harness.service.preview(request, never));
    const textsOf = ({ outputs }: typeof preview.record) => outputs.map(({ content }) => textOf(content));
    expect(textsOf(preview.record)[1]).toContain('lock = 1');

    lines = ['export const lock = 2;'];
    const edits = [{ outputId: preview.record.outputs[0]!.id, text: 'The lock was raised.' }];
    const { record } = await harness.service.previewEdited(preview, edits, request, never);
    expect(record).toMatchObject({ status: 'applied', isEdited: true });
    expect(textsOf(record)).toEqual([
      expect.stringContaining('The lock was raised.'),
      expect.stringContaining('lock = 2'),
    ]);
  });

  it('is planned with the requested strategy, not with the configured one', async () => {
    const harness = session();
    harness.choose(rewind);
    const { record } = await harness.answering(harness.service.preview(request, never));
    expect(record).toMatchObject({ requestedStrategy: 'llm-summary', actualStrategy: 'llm-summary' });
  });

  it('is not applied to a changed conversation', async () => {
    const { harness, preview } = await previewed();
    await harness.service.compactNow({ strategy: hideSelection({ messages: ['a2'] }) }, never);
    const applied = await harness.service.applyRecord(preview.record, preview.base);
    expect(applied).toMatchObject({ status: 'cancelled', reason: { code: 'base-changed' } });
  });
});
