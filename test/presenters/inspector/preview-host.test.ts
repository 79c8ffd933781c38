import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hideSelection } from '../../../src/compaction/manual-edits/hide.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { PreviewHost } from '../../../src/presenters/inspector/preview-host.ts';
import type { ChangeableSession } from '../../../src/presenters/inspector/inspector-target.ts';
import { previewRecordId, type PreviewView } from '../../../src/protocol/inspector-preview.ts';
import type { PreviewChoice } from '../../../src/protocol/shared-requests.ts';
import { never, ServiceHarness, settle } from '../../compaction/service/service-harness.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

describe('a previewed compaction', () => {
  let harness: ServiceHarness;
  let host: PreviewHost;
  let views: (PreviewView | undefined)[];
  let previewed: string[];
  /** The user's answers to dialogs. */
  let answer: string | undefined;
  let session: ChangeableSession;

  beforeEach(() => {
    harness = new ServiceHarness(meter);
    [views, previewed, answer] = [[], [], undefined];
    harness.host.say(
      system('s', 'Rules.'),
      typed('u1', `look around ${textOfTokens(100)}`),
      called('a1', ['x', 'read_file', { path: 'src/lock.ts' }]),
      result('r1', 'x', textOfTokens(600)),
      said('a2', textOfTokens(200)),
      typed('u2', 'and now?'),
      said('a3', textOfTokens(150)),
    );
    const { service } = harness;
    const previews: Pick<ChangeableSession, 'transcript' | 'preview' | 'applyRecord' | 'compaction'> = {
      get transcript() {
        return harness.host.transcript;
      },
      preview: (request, signal) => service.preview(request, signal),
      applyRecord: (record, base) => service.applyRecord(record, base),
      compaction: service,
    };
    session = previews as ChangeableSession;
    host = new PreviewHost({
      wording: englishWording,
      current: () => harness.settings.strategy.id,
      chooseStrategy: () => Promise.resolve(answer),
      askFocus: () => Promise.resolve(answer),
      changed: () => views.push(host.viewOf('s1')),
    });
  });

  const view = () => host.viewOf('s1')!;
  const inspector = {
    id: 's1',
    preview: ({ id }: CompactionRecord) => Promise.resolve(void previewed.push(id)),
  };
  const start = (choice: PreviewChoice = { to: 'a2' }) =>
    harness.answering(host.start(inspector, session, choice));
  const check = (...texts: readonly string[]) =>
    host.handle({ type: 'preview-check', plan: view().plan, texts }, 's1');
  const apply = (...texts: readonly string[]) =>
    host.handle({ type: 'preview-apply', plan: view().plan, texts }, 's1');
  const again = (change: 'nothing' | 'focus' | 'strategy', ...texts: readonly string[]) =>
    harness.answering(host.handle({ type: 'preview-again', plan: view().plan, texts, change }, 's1'));
  const shownView = () => JSON.stringify(harness.host.transcript.view);

  it('is planned without writing a record, and reports its progress', async () => {
    await start();
    expect(views[0]).toMatchObject({ activity: 'planning', plan: 0, strategy: 'llm-summary' });
    expect(view()).toMatchObject({
      activity: undefined,
      record: { id: previewRecordId, status: 'applied', isEdited: undefined },
      isStale: false,
    });
    expect(view().summaries).toMatchObject([{ text: expect.stringContaining('notes') as unknown }]);
    expect(view().summaries[0]?.tokens).toBeGreaterThan(0);
    expect(previewed).toEqual([previewRecordId]);
    expect(harness.records).toEqual([]);
  });

  it('disappears if its first plan is stopped', async () => {
    const started = host.start(inspector, session, { to: 'a2' });
    while (!harness.model.isWriting) await settle();
    await host.handle({ type: 'preview-stop' }, 's1');
    await started;
    expect(host.viewOf('s1')).toBeUndefined();
  });

  it('explains why the compaction would change nothing', async () => {
    await start({ from: 'gone' });
    expect(view()).toMatchObject({ record: { status: 'unchanged' }, summaries: [] });
  });

  it("is applied with the user's edits, states this, and can be undone exactly", async () => {
    const before = shownView();
    await start();
    await check('The lock is in src/lock.ts.');
    expect(view()).toMatchObject({ record: { isEdited: true }, refusal: undefined });
    await apply('The lock is in src/lock.ts.');
    expect(host.viewOf('s1')).toBeUndefined();
    const [record] = harness.records;
    expect(record).toMatchObject({ status: 'applied', isEdited: true });
    const summary = harness.host.transcript.view.find(({ kind }) => kind === 'summary');
    expect(textOf(summary?.content ?? null)).toContain('The lock is in src/lock.ts.');
    await harness.service.undo(record!.id);
    expect(shownView()).toBe(before);
  });

  it('is applied as written if nothing was edited', async () => {
    await start();
    await apply(view().summaries[0]!.text);
    expect(harness.records).toMatchObject([{ status: 'applied' }]);
    expect(harness.records[0]?.isEdited).toBeUndefined();
  });

  it('lists the facts that an edit leaves out', async () => {
    await start();
    const original = view().summaries[0]!.text;
    expect(original).toContain('src/lock.ts');
    await check('Something about a lock.');
    expect(view().lost).toContain('src/lock.ts');
    await check(original);
    expect(view()).toMatchObject({ lost: [], record: { isEdited: undefined } });
  });

  it.each([
    ['empty', '  ', /empty/],
    ['cut off', '<summary>The lock', /breaks off/],
    ['too large', textOfTokens(3_000), /^The summary takes 3,035 tokens/],
  ])('keeps a text that is %s, but refuses it and states why', async (_, text, reason) => {
    await start();
    await apply(text);
    expect(view().refusal).toMatch(reason);
    expect(view().summaries[0]?.text).toBe(text);
    expect(harness.records).toEqual([]);
    await apply('The lock is in src/lock.ts.');
    expect(harness.records).toMatchObject([{ status: 'applied' }]);
  });

  it('can be planned again with a focus or another strategy, which replaces the edits', async () => {
    await start();
    answer = 'the lock';
    const { plan } = view();
    await again('focus', 'edited');
    expect(view()).toMatchObject({ record: { focus: 'the lock' } });
    expect(view().plan).not.toBe(plan);
    expect(view().summaries[0]?.text).toContain('notes');
    answer = 'whole-history';
    await again('strategy', 'edited');
    expect(view()).toMatchObject({ strategy: 'whole-history', record: { actualStrategy: 'whole-history' } });
    expect(harness.records).toEqual([]);
  });

  it('stays unchanged if the user cancels the question', async () => {
    await start();
    const { plan } = view();
    await again('focus', 'edited words');
    expect(view()).toMatchObject({ plan, summaries: [{ text: 'edited words' }] });
  });

  it('is not applied to a changed conversation, but can be planned again with the edited text', async () => {
    await start();
    await harness.service.compactNow({ strategy: hideSelection({ messages: ['a1'] }) }, never);
    expect(view().isStale).toBe(true);
    await apply('A person wrote this.');
    expect(harness.records).toHaveLength(1);
    expect(view()).toMatchObject({ isStale: true, summaries: [{ text: 'A person wrote this.' }] });
    await again('nothing', 'A person wrote this.');
    expect(view()).toMatchObject({ isStale: false, record: { isEdited: true } });
    await apply('A person wrote this.');
    expect(harness.records.at(-1)).toMatchObject({ status: 'applied', isEdited: true });
  });

  it('can still be applied if the conversation only grew', async () => {
    await start();
    harness.host.say(typed('u3', 'one more'), said('a4', 'fine'));
    expect(view().isStale).toBe(false);
    await apply(view().summaries[0]!.text);
    expect(harness.host.transcript.view.map(({ id }) => id).slice(-2)).toEqual(['u3', 'a4']);
  });

  it('can be discarded without a trace', async () => {
    await start();
    await host.handle({ type: 'preview-discard' }, 's1');
    expect(host.viewOf('s1')).toBeUndefined();
    expect(harness.records).toEqual([]);
  });

  it('ignores requests about an earlier plan', async () => {
    await start();
    const plan = view().plan - 1;
    await host.handle({ type: 'preview-apply', plan, texts: ['late'] }, 's1');
    expect(harness.records).toEqual([]);
    expect(view().summaries[0]?.text).not.toBe('late');
  });

  it('is not affected by requests of another chat', async () => {
    await start();
    await host.handle({ type: 'preview-discard' }, 's2');
    expect(host.viewOf('s2')).toBeUndefined();
    expect(host.viewOf('s1')).toBeDefined();
  });
});
