import { describe, expect, it } from 'vitest';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import {
  coverage,
  diff,
  flow,
  inspectorSnapshot,
  ladder,
  masking,
  refused,
  usage,
} from '../support/inspector-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
async function show(...records: readonly RecordView[]): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot({ records }));
  return view;
}

const kept = { ...coverage, commands: coverage.files };

function selectedText({ page }: InspectorView): Promise<string> {
  return page.getByRole('option', { selected: true }).innerText();
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
    await view.page.getByRole('heading', { name: 'Nothing compacted yet' }).waitFor();
    await view.page
      .getByText('Compaction starts at 108,800 of 128,000 tokens; every step can be undone here.')
      .waitFor();
    await view.page.getByRole('button', { name: 'Compact now' }).click();
    await view.expectPost({ type: 'compact' });
  });
});

describe('the list of compactions', () => {
  it('has an entry for each compaction, with the newest first and selected', async () => {
    const view = await show(ladder, masking, refused);
    const options = view.page.getByRole('listbox', { name: 'Compactions' }).getByRole('option');
    expect(await options.count()).toBe(3);
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await view.expectPost({ type: 'diff', recordId: 'r3' });
  });

  it.each([
    [ladder, 'automatic', '109k → 51k · 2 commands lost'],
    [{ ...ladder, coverage: kept }, 'automatic', '109k → 51k · nothing lost'],
    [{ ...ladder, trigger: 'agent' }, 'by the agent', '109k → 51k · 2 commands lost'],
    [{ ...ladder, actualStrategy: 'hide' }, 'Hidden by hand', '109k → 51k · 2 commands lost'],
    [refused, 'by hand refused', 'LLM Summary'],
  ] as const)('states the cause and the effect of each compaction: %#', async (record, cause, effect) => {
    const view = await show(record);
    const option = view.page.getByRole('option');
    await option.getByText(effect).waitFor();
    await eventually(() => option.innerText()).toContain(cause);
  });

  it('counts tokens that another agent does not write to its file', async () => {
    const fullness = { tokens: 80_000, basis: 'reported', alternatives: [] } as const;
    const view = await suite.open({ width: 1200 });
    const record = { ...ladder, triggerTokens: 131_114 };
    await view.notify(inspectorSnapshot({ usage: { ...usage, fullness }, records: [record] }));
    await view.page.getByRole('option').getByText('131k → 73k').waitFor();
  });

  it('can be navigated with the keys of a list', async () => {
    const view = await show(ladder, masking, refused);
    const list = view.page.getByRole('listbox');
    const selected = () => selectedText(view);
    await list.focus();
    await list.press('ArrowDown');
    await eventually(selected).toContain('101k → 64k');
    await view.expectPost({ type: 'diff', recordId: 'r2' });
    await list.press('End');
    await eventually(selected).toContain('LLM Summary');
    await list.press('ArrowDown');
    await list.press('ArrowUp');
    await eventually(selected).toContain('101k → 64k');
    await list.press('Home');
    await eventually(selected).toContain('109k → 51k');
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
    await eventually(() => selectedText(view)).toContain('101k → 64k');
  });

  it('selects the compaction that the host names, even before anything is shown', async () => {
    const view = await suite.open();
    await view.notify({ type: 'select', recordId: 'r1' });
    await view.notify(inspectorSnapshot());
    await eventually(() => selectedText(view)).toContain('LLM Summary');
    await view.notify({ type: 'select', recordId: 'r2' });
    await eventually(() => selectedText(view)).toContain('101k → 64k');
  });

  it('keeps its selection after a reload', async () => {
    const view = await show(ladder, masking);
    await view.page.getByRole('option').nth(1).click();
    await view.page.reload();
    await view.notify(inspectorSnapshot({ records: [ladder, masking] }));
    await view.expectPost({ type: 'diff', recordId: 'r2' });
  });
});

describe('the outcome of a compaction', () => {
  const counted = {
    ...coverage,
    files: { kept: 27, total: 30, missing: [] },
    userMessages: { kept: 11, total: 12, missing: [] },
  };
  const hiding = { ...ladder, byKindAfter: { ...ladder.byKindAfter, summary: 0 } };

  it.each([
    [
      { ...ladder, coverage: counted },
      'Its summary no longer mentions 3 of 30 files, 2 of 33 commands and 1 of your 12 messages.',
    ],
    [{ ...hiding, coverage: counted }, 'The context no longer contains 3 of 30 files,'],
    [ladder, 'Its summary no longer mentions 2 of 33 commands.'],
    [
      { ...ladder, coverage: kept },
      'Nothing was lost: 14 of 14 files, 14 of 14 commands and 12 of your 12 messages are still there.',
    ],
    [{ ...ladder, coverage: kept, isUndone: true }, 'Undone. Nothing was lost'],
  ])('is one sentence: %#', async (record, sentence) => {
    const view = await show(record);
    await eventually(() => view.page.locator('.outcome-sentence').innerText()).toContain(sentence);
  });

  it('has its warnings on one line', async () => {
    const long = 'One message alone fills more than half of the window. '.repeat(9);
    const view = await show({ ...masking, warnings: [long, 'Another.'] });
    const line = view.page.locator('.warning-line');
    await line.getByText('1 more').waitFor();
    expect((await line.boundingBox())!.height).toBeLessThan(32);
  });

  it.each([
    [{ width: 1280, height: 720 }, 330],
    [{ width: 1440, height: 900 }, 300],
  ])('leaves room for the diff, even with losses and warnings: %j', async (size, most) => {
    const view = await suite.open(size);
    await view.notify(
      inspectorSnapshot({ records: [{ ...ladder, coverage: counted, warnings: masking.warnings }] }),
    );
    await view.notify({ type: 'flow', recordId: 'r3', flow });
    await view.notify(diff());
    const place = (await view.page.locator('.diff').boundingBox())!;
    expect(place.y).toBeLessThanOrEqual(most);
  });
});

describe('the picture of a compaction', () => {
  async function showFlow(width = 1200): Promise<InspectorView> {
    const view = await suite.open({ width });
    await view.notify(inspectorSnapshot({ records: [ladder] }));
    await view.expectPost({ type: 'flow', recordId: 'r3' });
    await view.notify({ type: 'flow', recordId: 'r3', flow });
    return view;
  }

  it('names its result', async () => {
    const view = await showFlow();
    const name =
      'Where the tokens went: 109,214 before, 51,370 after; kept 43,816, shortened 25,400, summarised 38,998, gone 1,000';
    await view.page.getByRole('img', { name }).waitFor();
  });

  it('shows the kinds before, and the kept kinds and other ways after', async () => {
    const view = await showFlow();
    const texts = await view.page.locator('.flow text').allTextContents();
    // There is room for eight names on each side, so the two smallest kinds are drawn together.
    expect(texts.slice(0, 5)).toEqual(['Assistant', 'Tool calls', 'Tool results', 'Other', 'added']);
    expect(texts.slice(-3)).toEqual(['shortened 25k → 2.1k', 'summarised 39k → 1.2k', 'gone 1k']);
  });

  it('becomes two bars on a narrow page', async () => {
    const view = await showFlow(500);
    await view.page.locator('.flow-bar').nth(1).waitFor();
    expect(await view.page.locator('.flow svg').count()).toBe(0);
    expect(await view.overflow()).toBe(0);
  });

  it('has its numbers in a table', async () => {
    const view = await showFlow();
    await view.page.getByRole('button', { name: 'As a table' }).click();
    const table = view.page.getByRole('table', { name: 'Tokens by kind, and where they went' });
    const row = (name: RegExp) => table.getByRole('row', { name }).innerText();
    await eventually(() => row(/^Tool results/)).toMatch(
      /67,798\s+18,000\s+21,000\s+27,798\s+1,000\s+20,950/,
    );
    await eventually(() => row(/^Total/)).toMatch(/109,214\s+43,816\s+25,400\s+38,998\s+1,000\s+51,370/);
  });
});

describe('the details of a compaction', () => {
  async function details(record: RecordView): Promise<string> {
    const view = await show(record);
    await view.page.getByRole('button', { name: 'Details' }).click();
    const text = await view.page.getByRole('region', { name: 'Details' }).innerText();
    return text.replaceAll('\u00a0', ' ');
  }

  it.each([
    [{ cacheMissTokens: 100, savedPerCall: 50, breakEvenCalls: 1 }, 'worth it after 1 request'],
    [
      { cacheMissTokens: 100, savedPerCall: 0, breakEvenCalls: null },
      'costs more in cache writes than it saves',
    ],
    [{ cacheMissTokens: 0, savedPerCall: 50, breakEvenCalls: 0 }, 'nothing leaves the cache'],
  ])('state the cost: %o', async (cost, words) => {
    expect(await details({ ...ladder, cost })).toContain(words);
  });

  it('state strategy, size, coverage, steps and warnings', async () => {
    const text = await details(masking);
    expect(text).toContain('Tool Result Hiding, instead of LLM Summary');
    expect(text).toContain('100,877 → 63,940 tokens (−37%)');
    expect(text).toContain('14 of 14 files, 31 of 33 commands, 12 of your 12 messages');
    expect(text).toContain('rewrites 41,020 cached tokens once, saves 57,844 per request');
    expect(text).toContain('LLM Summary (refused: the summary was cut off) → Tool Result Hiding (applied)');
    expect(text).toContain('One message alone fills more than half of the window.');
  });

  it('state the start with its limit', async () => {
    const text = await details({ ...ladder, start: 'background', threshold: 96_000 });
    expect(text).toContain(
      'Started in the background at 109,214 tokens: background compactions start at 96,000',
    );
  });

  it('explain a result far below the target', async () => {
    const cost = { cacheMissTokens: 100, savedPerCall: 50, breakEvenCalls: 1 };
    const far = { ...ladder, tokensAfter: 20_000, cost };
    expect(await details({ ...far, target: 64_000 })).toContain('44,000 below the target of 64,000');
    expect(await details({ ...far, target: 21_000 })).not.toContain('below the target');
  });

  it.each([
    [{ isEdited: true }, 'summary edited by hand'],
    [{ filesBack: { files: 3, tokens: 4_120 } }, '3 files restored (4,120 tokens)'],
    [{ part: { messages: 12, rewinds: false } }, 'of 12 messages'],
    [{ part: { messages: 12, rewinds: true } }, 'continued from an earlier message, of 12 messages'],
  ])('have notes in complete phrases: %j', async (changes, words) => {
    expect(await details({ ...ladder, ...changes })).toContain(words);
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
    await view.page.locator('.outcome-sentence', { hasText: 'Undone.' }).waitFor();
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
