import { describe, expect, it } from 'vitest';
import { previewRecordId, type PreviewView } from '../../../src/protocol/inspector-preview.ts';
import { graveFindings } from '../support/accessibility.ts';
import { diff, inspectorSnapshot, ladder } from '../support/inspector-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();

const preview: PreviewView = {
  plan: 1,
  strategy: 'llm-summary',
  record: { ...ladder, id: previewRecordId, actualStrategy: 'llm-summary', requestedStrategy: 'llm-summary' },
  summaries: [{ text: 'The lock is in src/lock.ts.', tokens: 1_234 }],
  lost: [],
  isStale: false,
};

let revision = 1;
const update = (view: InspectorView, changes: Partial<PreviewView> | undefined) =>
  view.notify(inspectorSnapshot({ preview: changes && { ...preview, ...changes } }, ++revision));

async function show(changes: Partial<PreviewView> = {}, width = 1200): Promise<InspectorView> {
  const view = await suite.open({ width });
  await update(view, changes);
  await view.notify({ type: 'select', recordId: previewRecordId });
  await view.page.getByRole('heading', { name: 'Preview of LLM Summary' }).waitFor();
  return view;
}

const button = ({ page }: InspectorView, name: string) => page.getByRole('button', { name });
const summary = ({ page }: InspectorView) => page.getByLabel('Summary', { exact: true });

describe('a preview in the inspector', () => {
  it('is requested in the menu of the page', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot());
    await button(view, 'More actions').click();
    await view.page.getByRole('menuitem', { name: 'Compact with preview…' }).click();
    await view.expectPost({ type: 'preview' });
  });

  it('shows an editor with the summary and the diff in place of the compactions', async () => {
    const view = await show();
    await eventually(() => summary(view).inputValue()).toBe('The lock is in src/lock.ts.');
    await view.page.getByText('1,234 tokens').waitFor();
    await view.expectPost({ type: 'diff', recordId: previewRecordId });
    await view.notify(diff(previewRecordId));
    await view.page.locator('.preview .diff-row').first().waitFor();
    expect(await view.page.getByRole('listbox', { name: 'Compactions' }).isVisible()).toBe(false);
  });

  it('shows that it is being planned, and can be stopped', async () => {
    const view = await show({ plan: 0, activity: 'planning', record: undefined, summaries: [] });
    await view.page.getByText('Planning with LLM Summary…').waitFor();
    await button(view, 'Stop').click();
    await view.expectPost({ type: 'preview-stop' });
  });

  it('sends an edit to be checked, and applies the text in the editor', async () => {
    const view = await show();
    await summary(view).fill('Only this.');
    await view.expectPost({ type: 'preview-check', plan: 1, texts: ['Only this.'] });
    await button(view, 'Apply').click();
    await view.expectPost({ type: 'preview-apply', plan: 1, texts: ['Only this.'] });
  });

  it('marks a sentence selected in the editor, in which shortcut keys only type text', async () => {
    const view = await suite.open({ width: 1200 });
    const state = { preview, canMark: true };
    await view.notify(inspectorSnapshot(state, ++revision));
    await view.notify({ type: 'select', recordId: previewRecordId });
    await summary(view).selectText();
    await button(view, 'Mark sentence…').click();
    await view.page.getByRole('menuitem', { name: 'Decision' }).click();
    await view.expectPost({
      type: 'mark-sentence',
      sentence: 'The lock is in src/lock.ts.',
      as: 'decision',
    });
    await summary(view).press('d');
    expect(await view.posted('mark-sentence')).toHaveLength(1);
  });

  it('lists the facts that an edit leaves out', async () => {
    const view = await show({ record: { ...preview.record!, isEdited: true }, lost: ['src/lock.ts'] });
    await view.page.getByText('The edit leaves out src/lock.ts.').waitFor();
  });

  it.each([
    ['empty', ' ', 'The summary is empty.'],
    ['too large', 'word '.repeat(5_000), 'The summary is larger than what it replaces.'],
    ['cut off', '<summary>The lock', 'The summary was cut off.'],
  ])('keeps a text that is %s in the editor, with the reason why it was refused', async (_, text, reason) => {
    const view = await show();
    await summary(view).fill(text);
    await update(view, { summaries: [{ text, tokens: 1 }], refusal: reason });
    await view.page.getByText(`This text cannot be applied: ${reason}`).waitFor();
    expect(await summary(view).inputValue()).toBe(text);
    expect(await summary(view).getAttribute('aria-invalid')).toBe('true');
    await button(view, 'Apply').click({ force: true });
    expect(await view.posted('preview-apply')).toEqual([]);
  });

  it('can be planned again with a focus or another strategy', async () => {
    const view = await show();
    await button(view, 'Ask again with a focus…').click();
    const texts = ['The lock is in src/lock.ts.'];
    await view.expectPost({ type: 'preview-again', plan: 1, texts, change: 'focus' });
    await button(view, 'Another strategy…').click();
    await view.expectPost({ type: 'preview-again', plan: 1, texts, change: 'strategy' });
    await update(view, { plan: 2, summaries: [{ text: 'Written again.', tokens: 5 }] });
    await eventually(() => summary(view).inputValue()).toBe('Written again.');
  });

  it('states that the conversation has changed, and keeps the text when it is planned again', async () => {
    const view = await show();
    await summary(view).fill('Mine.');
    await update(view, { isStale: true });
    await view.page.getByText('The conversation has changed since this was planned').waitFor();
    await button(view, 'Plan again').click();
    await view.expectPost({ type: 'preview-again', plan: 1, texts: ['Mine.'], change: 'nothing' });
  });

  it('can be closed to show the compactions, which link back to it', async () => {
    const view = await show();
    await button(view, 'All compactions').click();
    await view.page.getByRole('option').first().waitFor();
    await button(view, 'Show preview').click();
    await view.page.getByRole('heading', { name: 'Preview of LLM Summary' }).waitFor();
  });

  it('is replaced by the compactions once it is discarded', async () => {
    const view = await show();
    await button(view, 'Discard').click();
    await view.expectPost({ type: 'preview-discard' });
    await update(view, undefined);
    await view.page.getByRole('option').first().waitFor();
    expect(await button(view, 'Show preview').isVisible()).toBe(false);
  });

  it('fits a narrow panel, and is accessible', async () => {
    const view = await show({ refusal: 'It is empty.', isStale: true }, 300);
    expect(await view.overflow()).toBe(0);
    expect(await graveFindings(view.page)).toEqual([]);
  });
});
