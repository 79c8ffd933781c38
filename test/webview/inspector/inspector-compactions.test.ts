import { describe, expect, it } from 'vitest';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import {
  coverage,
  diff,
  inspectorSnapshot,
  ladder,
  masking,
  refused,
} from '../support/inspector-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
async function show(...records: readonly RecordView[]): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot({ records }));
  return view;
}

/** The numbers of the detail, each with its label. */
async function facts(view: InspectorView): Promise<readonly string[]> {
  const texts = await view.page.locator('.fact').allInnerTexts();
  return texts.map((text) => text.replaceAll('\u00a0', ' ').replace(/\s*\n\s*/g, ' · '));
}

describe('the inspector', () => {
  it('requests its state when it opens', async () => {
    const view = await suite.open();
    await view.expectPost({ type: 'ready' });
  });

  it('requests the session that it showed before a reload', async () => {
    const view = await show(ladder);
    await view.page.getByRole('option').waitFor();
    await view.page.reload();
    await view.expectPost({ type: 'ready', sessionId: 'session-1' });
  });

  it('explains an empty list, and offers to compact', async () => {
    const view = await show();
    await view.page.getByRole('heading', { name: 'No compactions yet' }).waitFor();
    await view.page.getByText('Compacts at 108,800. Each compaction is listed here').waitFor();
    await view.page.getByRole('button', { name: 'Compact now' }).click();
    await view.expectPost({ type: 'compact' });
  });
});

describe('the list of compactions', () => {
  it('has an entry for each compaction, with the newest first and selected', async () => {
    const view = await show(ladder, masking, refused);
    const options = view.page.getByRole('listbox', { name: 'Compactions' }).getByRole('option');
    const names = await options.locator('b').allInnerTexts();
    expect(names).toEqual(['Ladder', 'Tool Result Hiding', 'LLM Summary']);
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await view.expectPost({ type: 'diff', recordId: 'r3' });
  });

  it('states how and why a compaction started', async () => {
    const view = await show({ ...ladder, start: 'background', threshold: 96_000 });
    await view.page.getByRole('option').getByText('automatic, in the background', { exact: true }).waitFor();
    await view.page
      .getByText('Started in the background at 109,214 tokens: background compactions start at 96,000')
      .waitFor();
  });

  it('states the effect, the trigger and the outcome of each compaction', async () => {
    const view = await show(ladder, masking, refused);
    const texts = await view.page.getByRole('option').allInnerTexts();
    expect(texts[0]).toMatch(/automatic[\s\S]*109,214 → 51,370 · 14 of 14 files/);
    expect(texts[1]).toMatch(/automatic, room for the reply[\s\S]*instead of LLM Summary/);
    expect(texts[2]).toMatch(/refused[\s\S]*manual[\s\S]*The summary was cut off at 20,000 tokens\./);
  });

  it('draws the tokens before and after by kind, to one scale', async () => {
    const view = await show(ladder, masking);
    const widths = await view.page.locator('.mini-bars .bar-segments').evaluateAll((bars) =>
      bars.map((bar) => {
        const last = bar.lastElementChild!.getBoundingClientRect();
        const { left, width } = bar.getBoundingClientRect();
        return (last.right - left) / width;
      }),
    );
    const expected = [1, 51370 / 109214, 100877 / 109214, 63940 / 109214];
    for (const [index, share] of expected.entries()) expect(widths[index]).toBeCloseTo(share, 1);
  });

  it('can be navigated with the keys of a list', async () => {
    const view = await show(ladder, masking, refused);
    const list = view.page.getByRole('listbox');
    const selected = () => view.page.getByRole('option', { selected: true }).locator('b').innerText();
    await list.focus();
    await list.press('ArrowDown');
    await eventually(selected).toBe('Tool Result Hiding');
    await view.expectPost({ type: 'diff', recordId: 'r2' });
    await list.press('End');
    await eventually(selected).toBe('LLM Summary');
    await list.press('ArrowDown');
    await list.press('ArrowUp');
    await eventually(selected).toBe('Tool Result Hiding');
    await list.press('Home');
    await eventually(selected).toBe('Ladder');
    const active = await list.getAttribute('aria-activedescendant');
    expect(active).toBe(await view.page.getByRole('option').first().getAttribute('id'));
  });

  it('requests only the last diff when keys move quickly through many entries', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ ...ladder, id: `r${index}` }));
    const view = await show(...many);
    await view.expectPost({ type: 'diff', recordId: 'r0' });
    await view.page.getByRole('listbox').evaluate((list) => {
      for (let index = 0; index < 11; index++) {
        list.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      }
    });
    await view.expectPost({ type: 'diff', recordId: 'r11' });
    expect(await view.posted('diff')).toHaveLength(2);
  });

  it('keeps its selection when another compaction arrives', async () => {
    const view = await show(masking, refused);
    await view.page.getByRole('option', { selected: true }).waitFor();
    await view.notify(inspectorSnapshot({ records: [ladder, masking, refused] }, 2));
    await eventually(() => view.page.getByRole('option').count()).toBe(3);
    await eventually(() => view.page.getByRole('option', { selected: true }).locator('b').innerText()).toBe(
      'Tool Result Hiding',
    );
  });

  it('selects the compaction that the host names, even before anything is shown', async () => {
    const view = await suite.open();
    await view.notify({ type: 'select', recordId: 'r1' });
    await view.notify(inspectorSnapshot());
    const selected = view.page.getByRole('option', { selected: true }).locator('b');
    await eventually(() => selected.innerText()).toBe('LLM Summary');
    await view.notify({ type: 'select', recordId: 'r2' });
    await eventually(() => selected.innerText()).toBe('Tool Result Hiding');
  });

  it('keeps its selection after a reload', async () => {
    const view = await show(ladder, masking);
    await view.page.getByRole('option').nth(1).click();
    await view.page.reload();
    await view.notify(inspectorSnapshot({ records: [ladder, masking] }));
    await view.expectPost({ type: 'diff', recordId: 'r2' });
  });
});

describe('the numbers of a compaction', () => {
  it('are shown at the top', async () => {
    const view = await show(ladder);
    expect(await facts(view)).toEqual([
      '109,214 → 51,370 · tokens, −53% · by kind',
      '14 / 14 · files still referenced',
      '31 / 33 · commands, 2 missing',
      '4 calls · to pay back the cache miss',
    ]);
  });

  it('expand to the names of missing facts', async () => {
    const view = await show(ladder);
    const names = view.page.locator('.missing-names');
    expect(await names.getByText('git log -3 --oneline').count()).toBe(0);
    await view.page.getByRole('button', { name: 'commands, 2 missing' }).click();
    await names.getByText('git log -3 --oneline').waitFor();
  });

  it('include other lost facts', async () => {
    const errors = { kept: 0, total: 1, missing: ['EBUSY in store.test.ts'] };
    const view = await show({ ...ladder, coverage: { ...coverage, errors } });
    expect(await facts(view)).toContain('0 / 1 · errors, 1 missing');
  });

  it.each([
    [{ cacheMissTokens: 100, savedPerCall: 50, breakEvenCalls: 1 }, '1 call · to pay back the cache miss'],
    [{ cacheMissTokens: 100, savedPerCall: 0, breakEvenCalls: null }, 'never · pays back the cache miss'],
    [{ cacheMissTokens: 0, savedPerCall: 50, breakEvenCalls: 0 }, 'none · of the cache lost'],
  ])('state what the compaction costs: %o', async (cost, words) => {
    const view = await show({ ...ladder, cost });
    expect(await facts(view)).toContain(words);
  });

  it('are followed by the duration, the replaced strategy and the attempts', async () => {
    const view = await show(masking);
    const notes = (await view.page.locator('.notes').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
    expect(notes).toContain('took 2.3 s');
    expect(notes).toContain('instead of LLM Summary');
    expect(notes).toContain('41,020 tokens leave the cache, 57,844 saved per call');
    expect(notes).toContain(
      'tried LLM Summary (refused: the summary was cut off), Tool Result Hiding (applied)',
    );
  });

  it('explain a result far below the target', async () => {
    const cost = { cacheMissTokens: 100, savedPerCall: 50, breakEvenCalls: 1 };
    const notesOf = async (target: number) => {
      const view = await show({ ...ladder, status: 'applied', tokensAfter: 20_000, target, cost });
      return (await view.page.locator('.notes').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
    };
    expect(await notesOf(64_000)).toContain(
      '44,000 below the target of 64,000: that many tokens are neither',
    );
    expect(await notesOf(21_000)).not.toContain('below the target');
  });

  it('are followed by the warnings', async () => {
    const view = await show(masking);
    const warnings = view.page.getByRole('list', { name: 'Warnings' });
    await eventually(() => warnings.innerText()).toBe(
      'One message alone fills more than half of the window.',
    );
  });
});

describe('undo', () => {
  it('is requested from the host', async () => {
    const view = await show(ladder);
    await view.page.getByRole('button', { name: 'Undo', exact: true }).click();
    await view.expectPost({ type: 'undo', recordId: 'r3' });
  });

  it('names the later compactions that it includes', async () => {
    const view = await show(masking);
    await view.page.getByRole('button', { name: 'Undo, with 2 later compactions' }).click();
    await view.expectPost({ type: 'undo', recordId: 'r2' });
  });

  it('is not offered again', async () => {
    const view = await show(ladder);
    await view.page.getByRole('button', { name: /^Undo/ }).waitFor();
    await view.notify(inspectorSnapshot({ records: [{ ...ladder, isUndone: true }] }, 2));
    await view.page.getByText('This compaction was undone.').waitFor();
    expect(await view.page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    await eventually(() => view.page.getByRole('option').innerText()).toContain('undone');
  });
});

describe('a compaction that did not take effect', () => {
  it.each([
    [
      'refused',
      'The summary was cut off.',
      'The result of LLM Summary was refused: The summary was cut off. The context is unchanged.',
    ],
    ['failed', 'No answer', 'LLM Summary failed: No answer. The context is unchanged.'],
    [
      'unchanged',
      'Nothing is old.',
      'LLM Summary found nothing to compact: Nothing is old. The context is unchanged.',
    ],
    ['cancelled', undefined, 'LLM Summary was cancelled. The context is unchanged.'],
  ] as const)('states the reason in one sentence: %s', async (status, reason, sentence) => {
    const view = await show({ ...refused, status, reason });
    await view.page.getByText(sentence, { exact: true }).waitFor();
    expect(await view.page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    expect(await view.posted('diff')).toEqual([]);
  });
});

describe('an answer for another compaction', () => {
  it('is not shown', async () => {
    const view = await show(ladder, masking);
    await view.page.getByRole('option').nth(1).click();
    await view.expectPost({ type: 'diff', recordId: 'r2' });
    await view.notify(diff('r3'));
    await view.page.getByText('Loading messages…').waitFor();
    expect(await view.page.locator('.diff-row').count()).toBe(0);
  });
});
