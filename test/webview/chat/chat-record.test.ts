import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../src/compaction/records/record.ts';
import type { RecordDetails } from '../../../src/protocol/chat-rows.ts';
import { conversation, recordDetails, snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
async function openRow(details: Partial<RecordDetails> = {}): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot());
  await view.page.getByRole('button', { name: 'Ladder · 109k → 51k' }).click();
  await view.expectPost({ type: 'record-summary', recordId: 'c1' });
  await view.notify({ type: 'record', recordId: 'c1', details: { ...recordDetails, ...details } });
  return view;
}

const record = ({ page }: ChatView) => page.locator('.record');

describe('the row of a compaction', () => {
  it.each<[Trigger, string, string]>([
    [
      { source: 'ratio', requirement: 'soft', tokens: 96_700, start: 'background', threshold: 96_000 },
      'Ladder · 109k → 51k · in the background',
      'Started in the background at 96,700 tokens: background compactions start at 96,000.',
    ],
    [
      { source: 'savings', requirement: 'soft', tokens: 60_000, start: 'early' },
      'Ladder · 109k → 51k · early',
      'Shortened early at 60,000 tokens, because it saves more than it costs.',
    ],
    [
      { source: 'reserve', requirement: 'soft', tokens: 112_300, start: 'due', threshold: 112_000 },
      'Ladder · 109k → 51k · at the limit',
      'Due at 112,300 tokens: everything above 112,000 is reserved for the reply.',
    ],
  ])('states how and why the compaction started: %j', async (trigger, words, why) => {
    const view = await suite.open();
    const rows = conversation.map((row) => (row.type === 'compaction' ? { ...row, trigger } : row));
    await view.notify(snapshot({ rows }));
    const row = view.page.getByRole('button', { name: words, exact: true });
    expect(await row.locator('.compaction-words').getAttribute('title')).toBe(why);
    await row.click();
    await view.notify({ type: 'record', recordId: 'c1', details: recordDetails });
    await record(view).getByText(why).waitFor();
  });

  it('states no start if an earlier version did not record it', async () => {
    const view = await suite.open();
    const trigger: Trigger = { source: 'ratio', requirement: 'soft', tokens: 109_214 };
    const rows = conversation.map((row) => (row.type === 'compaction' ? { ...row, trigger } : row));
    await view.notify(snapshot({ rows }));
    const row = view.page.getByRole('button', { name: 'Ladder · 109k → 51k', exact: true });
    expect(await row.locator('.compaction-words').getAttribute('title')).toBeNull();
  });

  it('expands to the fates of the messages, each with a count', async () => {
    const view = await openRow();
    const fates = view.page.getByRole('list', { name: 'Effect on messages' }).getByRole('listitem');
    await eventually(async () =>
      (await fates.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
    ).toEqual(['41 kept 48k tokens', '12 clipped 40k → 1.2k tokens', '31 summarised 21k → 2.1k tokens']);
  });

  it('states which facts were kept and which are missing', async () => {
    const view = await openRow();
    await eventually(() => record(view).innerText()).toContain(
      'Kept 14 of 14 files, 31 of 33 commands, 92 of 97 identifiers, 9 of 9 of your messages.',
    );
    await eventually(() => record(view).innerText()).toContain(
      'Missing: npm run bench, git stash, openStore, LockError, and 3 more.',
    );
  });

  it.each([
    [{ cacheMissTokens: 50_112, savedPerCall: 57_844, breakEvenCalls: 1 }, 'worth it after 1 request.'],
    [{ cacheMissTokens: 50_112, savedPerCall: 844, breakEvenCalls: 52 }, 'worth it after 52 requests.'],
    [{ cacheMissTokens: 0, savedPerCall: 844, breakEvenCalls: 0 }, 'Saves 844 tokens per request;'],
    [
      { cacheMissTokens: 50_112, savedPerCall: 0, breakEvenCalls: null },
      'Saves no tokens in later requests.',
    ],
  ])('states what the compaction costs: %j', async (cost, words) => {
    const view = await openRow({ cost });
    await eventually(() => record(view).innerText()).toContain(words);
  });

  it('lists the tried strategies, the duration and the warnings', async () => {
    const view = await openRow({ warnings: ['The window is a guess.'] });
    await eventually(() => record(view).innerText()).toContain(
      'Steps: Observation Masking (nothing to do), Anchored Summary (applied).',
    );
    await eventually(() => record(view).innerText()).toContain('Took 3.2\u00a0s; summary by gpt-5-mini.');
    await eventually(() => record(view).innerText()).toContain('The window is a guess.');
  });

  it('requests the details once, and keeps them while it is collapsed', async () => {
    const view = await openRow();
    await record(view).getByText('Kept 14').waitFor();
    const line = view.page.getByRole('button', { name: 'Ladder · 109k → 51k' });
    await line.click();
    expect(await record(view).isVisible()).toBe(false);
    await line.click();
    await record(view).getByText('Kept 14').waitFor();
    expect(await view.posted('record-summary')).toHaveLength(1);
  });

  it('has buttons for the diff and the undo', async () => {
    const view = await openRow();
    await view.page.getByRole('button', { name: 'Diff', exact: true }).click();
    await view.expectPost({ type: 'open-inspector', recordId: 'c1' });
    await view.page.getByRole('button', { name: 'Undo', exact: true }).click();
    await view.expectPost({ type: 'undo', recordId: 'c1' });
  });

  it('shows hidden characters in names', async () => {
    const missing = ['evil\u202Etxt.exe'];
    const coverage = { ...recordDetails.coverage, files: { kept: 0, total: 1, missing } };
    const view = await openRow({ coverage });
    await eventually(() => record(view).innerText()).toContain('evil⟨U+202E⟩txt.exe');
  });
});
