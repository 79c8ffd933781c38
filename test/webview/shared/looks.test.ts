import { describe, expect, it } from 'vitest';
import type { ToolRow } from '../../../src/protocol/chat-rows.ts';
import { kinds } from '../../../src/protocol/engine-terms.ts';
import { actions, plan, queue, waitingCommand } from '../support/action-fixtures.ts';
import {
  commands,
  conversation,
  meter,
  recordDetails,
  snapshot,
  strategies,
} from '../support/chat-fixtures.ts';
import { contrasts } from '../support/colours.ts';
import { allSummarySources, diff, inspectorSnapshot } from '../support/inspector-fixtures.ts';
import { type ThemeName, triedThemes, themes } from '../support/themes.ts';
import {
  chatSuite,
  type ChatView,
  inspectorSuite,
  type InspectorView,
  type OpenOptions,
} from '../support/view.ts';

const chat = chatSuite();
const inspector = inspectorSuite();

/** A chat with a row of every sort, some of them long and without a place to break. */
async function openChat(options: OpenOptions): Promise<ChatView> {
  const view = await chat.open(options);
  const endless = 'x'.repeat(300);
  await view.notify(
    snapshot({
      activity: 'tools',
      isTrusted: false,
      plan: [...plan, { text: endless, status: 'pending' }],
      queue: [...queue, { id: 'wide', text: endless }],
      draft: endless,
      meter: { ...meter, isBreakerOpen: true },
      proposal: 'turns',
      strategies,
      commands,
      pins: ['wide', 'wide-answer'],
      rows: [
        ...conversation,
        ...actions,
        { ...waitingCommand, ...endlessApproval(endless) },
        {
          type: 'user',
          id: 'wide',
          text: endless,
          attachments: [{ label: endless, tokens: 123456, path: endless }],
          isPinned: true,
        },
        {
          type: 'assistant',
          id: 'wide-answer',
          markdown: `${endless}\n\n\`${endless}\`\n\n\`\`\`\n${endless}\n\`\`\`\n\n| a | ${endless} |\n|---|---|\n| 1 | 2 |`,
          reasoning: endless,
          state: 'stopped',
          isPinned: true,
        },
        {
          type: 'tool',
          id: 'wide-tool',
          tool: endless,
          label: endless,
          state: 'failed',
          tokens: 123456,
          preview: endless,
          isClipped: true,
        },
        {
          type: 'compaction',
          id: 'refused',
          strategy: 'hiding-then-summary',
          status: 'refused',
          reason: endless,
          tokensBefore: 1,
          tokensAfter: 1,
          isUndone: false,
        },
        { type: 'error', id: 'error', message: endless, canRetry: true },
      ],
    }),
  );
  await view.page.getByRole('button', { name: /^x+/ }).first().click();
  await view.page.getByRole('button', { name: /^Plan/ }).click();
  await view.page.getByRole('button', { name: '2 pinned' }).click();
  await view.page.getByRole('button', { name: 'Ladder · 109k → 51k' }).click();
  await view.notify({
    type: 'record',
    recordId: 'c1',
    details: { ...recordDetails, warnings: [endless], summaryModel: endless },
  });
  await view.notify({
    type: 'price',
    text: endless,
    tokens: 1310,
    attachments: [
      { label: endless, tokens: 1204 },
      { label: '@gone.ts', tokens: 0, problem: endless },
    ],
    total: 48_200,
    window: 128_000,
    compacts: true,
  });
  return view;
}

/** A question with long texts wherever there can be one. */
function endlessApproval(endless: string): Pick<ToolRow, 'id' | 'subAgents' | 'approval'> {
  const file = { path: endless, change: 'created', added: 1, removed: 0, diff: `+${endless}\n` } as const;
  const title = endless;
  return {
    id: 'wide-question',
    subAgents: [
      {
        sessionId: 's',
        name: endless,
        task: endless,
        dependsOn: [endless],
        state: 'failed',
        tokens: 123456,
        note: endless,
      },
    ],
    approval: { kind: 'mcp', title, details: endless, warning: endless, changes: [file], rule: endless },
  };
}

/** An inspector with everything open that can be opened. */
async function openInspector(options: OpenOptions): Promise<InspectorView> {
  const view = await inspector.open(options);
  const endless = 'x'.repeat(300);
  await view.notify(inspectorSnapshot({ title: endless }));
  await view.notify(diff());
  await view.page.getByRole('button', { name: 'Show', exact: true }).click();
  await view.page.getByRole('button', { name: /^edit_file/ }).click();
  await view.notify({
    type: 'texts',
    recordId: 'r3',
    messageId: 'm76',
    before: `${endless} and then`,
    after: `${endless} [clipped]`,
  });
  await view.page.getByRole('button', { name: '15 more messages' }).click();
  await view.notify({ type: 'sources', recordId: 'r3', index: 1, sources: allSummarySources });
  await view.page.getByRole('button', { name: /^step 14/ }).waitFor();
  return view;
}

/** Widths, in pixels, that a view is dragged to after it opened at the first. */
const widths = [170, 240, 380, 699, 1400] as const;

describe('at any width', () => {
  it('the chat does not scroll sideways', async () => {
    const view = await openChat({ width: widths[0] });
    for (const width of widths) {
      await view.resize({ width });
      expect(await view.overflow(), `${width} pixels`).toBe(0);
      for (const part of await view.page.locator('.scroller, .bottom, .composer').all()) {
        expect(await part.evaluate((node) => node.scrollWidth - node.clientWidth), `${width} pixels`).toBe(0);
      }
      await view.page.locator('.composer').getByRole('button', { name: 'Stop' }).click({ trial: true });
      await view.page.getByRole('button', { name: 'Always allow' }).last().click({ trial: true });
    }
  });

  it('the inspector does not scroll sideways', async () => {
    const view = await openInspector({ width: widths[0] });
    for (const width of widths) {
      await view.resize({ width });
      expect(await view.overflow(), `${width} pixels`).toBe(0);
      await view.page.getByRole('button', { name: 'Undo', exact: true }).click({ trial: true });
    }
  });
});

describe('below 700 pixels', () => {
  it('the inspector has one column, with the list above the details', async () => {
    const view = await openInspector({ width: 680 });
    const box = async (selector: string) =>
      (await view.page.locator(selector).filter({ visible: true }).first().boundingBox())!;
    const list = await box('.records');
    expect((await box('.detail')).y).toBeGreaterThanOrEqual(list.y + list.height);
    const before = await box('.pair > .cell');
    expect((await box('.pair > .cell:last-child')).y).toBeGreaterThanOrEqual(before.y + before.height);
  });

  it('the inspector has two columns again at 700 pixels', async () => {
    const view = await openInspector({ width: 700 });
    await view.page.evaluate(() => window.scrollTo(0, 0));
    const box = async (selector: string) =>
      (await view.page.locator(selector).filter({ visible: true }).first().boundingBox())!;
    expect((await box('.detail')).y).toBe((await box('.records')).y);
    expect((await box('.pair > .cell:last-child')).y).toBe((await box('.pair > .cell')).y);
  });
});

describe.each(triedThemes)('in the theme %s', (theme) => {
  /** On the side bar of a theme whose own text is pale, not every word of the chat is darker yet. */
  const least = theme === 'solarized-light' ? 3 : 4.5;

  it('muted text in the chat is readable', async () => {
    const view = await openChat({ theme });
    const found = await contrasts(
      view.page,
      [
        '.tool-label, .tool-tokens, .compaction-words, .meter-share, .meter-rest, .hint, .foot-item, .activity, .stopped',
        '.approval-rule, .approval-warning, .change-path, .change-word, .sub-agent, .edits-title, .queued-mark',
        '.queued-text, .plan-now, .plan-text, .plan-word, .diff-lines > *',
        '.record p, .record-fate, .chip-label, .chip-tokens, .price-numbers, .pinned-text',
      ].join(', '),
    );
    expect(found.length).toBeGreaterThan(40);
    expect(found.filter(({ ratio }) => ratio < least)).toEqual([]);
  });

  it('fates and muted text in the inspector are readable', async () => {
    const view = await openInspector({ theme, width: 1200 });
    const found = await contrasts(
      view.page,
      '.fate, .no-longer, .reason, .tokens, .excerpt, .label, .dim, .status, .missing, .share',
    );
    expect(found.length).toBeGreaterThan(60);
    expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
  });

  it('kinds are distinguishable', async () => {
    const view = await openInspector({ theme, width: 1200 });
    const fills = await view.page.evaluate((names) => {
      // In high contrast the pattern has to do it, without its colours.
      const isPattern = document.body.classList.contains('vscode-high-contrast');
      return names.map((name) => {
        const part = document.createElement('i');
        part.className = `kind kind-${name}`;
        document.body.append(part);
        const { backgroundImage, backgroundColor } = getComputedStyle(part);
        return isPattern
          ? backgroundImage.replace(/(rgba?|color)\([^)]*\)/g, '')
          : backgroundColor + backgroundImage;
      });
    }, kinds);
    expect(new Set(fills).size).toBe(kinds.length);
  });
});

const highContrast = triedThemes.filter((theme) => themes[theme].bodyClass.includes('high-contrast'));

describe.each(highContrast)('in %s', (theme: ThemeName) => {
  it('boxes that other themes mark only by background have a border', async () => {
    const line = themes[theme].colours;
    const view = await openChat({ theme });
    const border = (selector: string) =>
      view.page
        .locator(selector)
        .first()
        .evaluate((node) => getComputedStyle(node).borderTopColor);
    const expected = await view.page.evaluate(
      (colour) => {
        const probe = document.createElement('i');
        probe.style.color = colour;
        document.body.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      },
      'contrastBorder' in line ? line.contrastBorder : '',
    );
    expect(await border('.user')).toBe(expected);
    expect(await border('.bar-segments')).toBe(expected);
    expect(await border('.compaction')).toBe(expected);
    expect(await border('.approval')).toBe(expected);
    expect(await border('.edits')).toBe(expected);
  });
});

describe('with reduced motion', () => {
  it('activity is shown only in words, without a spinner', async () => {
    const view = await openChat({ reducedMotion: true });
    await view.page.getByText('Running tools…').waitFor();
    expect(await view.page.locator('vscode-progress-ring').isVisible()).toBe(false);
  });

  it('the setting of VS Code also hides the spinner', async () => {
    const view = await openChat({});
    expect(await view.page.locator('vscode-progress-ring').isVisible()).toBe(true);
    await view.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    expect(await view.page.locator('vscode-progress-ring').isVisible()).toBe(false);
  });
});
