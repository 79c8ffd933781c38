import { describe, expect, it } from 'vitest';
import { type ChatNotification, type ChatRequest, parseChatRequest } from '../../src/protocol/chat.ts';
import { graveFindings } from './support/accessibility.ts';
import { actions, plan, queue } from './support/action-fixtures.ts';
import { commands, conversation, recordDetails, snapshot, strategies } from './support/chat-fixtures.ts';
import { reopenIn } from './support/in-language.ts';
import { themeNames } from './support/themes.ts';
import { eventually, type OpenOptions, type View, viewSuite } from './support/view.ts';

const suite = viewSuite<ChatNotification, ChatRequest>('chat', parseChatRequest);
type ChatView = View<ChatNotification, ChatRequest>;

const draft = 'Look at @src/store.ts and @gone.ts';

/** A chat at work, with everything open that opens. */
async function showWork(view: ChatView): Promise<void> {
  await view.notify(
    snapshot({
      rows: [
        ...conversation,
        ...actions,
        {
          type: 'user',
          id: 'u20',
          text: 'Look at this',
          attachments: [
            { label: '@src/store.ts', tokens: 1204, path: 'src/store.ts' },
            { label: '#problems', tokens: 88 },
          ],
          isPinned: true,
        },
        {
          type: 'assistant',
          id: 'a20',
          markdown: 'Done.',
          reasoning: 'Thought.',
          state: 'done',
          isPinned: false,
        },
        { type: 'error', id: 'error', message: 'The provider does not answer.', canRetry: true },
      ],
      activity: 'tools',
      isTrusted: false,
      plan,
      queue,
      draft,
      proposal: 'ratio',
      pins: ['u20'],
      commands,
      strategies,
    }),
  );
  const { page } = view;
  await page.locator('.compaction .disclosure').click();
  await view.notify({
    type: 'record',
    recordId: 'c1',
    details: { ...recordDetails, warnings: ['A guess.'] },
  });
  await page.locator('.plan .disclosure').click();
  await page.locator('.pins .disclosure').click();
  await page.locator('.tool .disclosure').first().click();
  await view.notify({
    type: 'price',
    text: draft,
    tokens: 1310,
    attachments: [
      { label: '@src/store.ts', tokens: 1204 },
      { label: '@gone.ts', tokens: 0, problem: 'There is no such file.' },
    ],
    total: 48_200,
    window: 128_000,
    compacts: true,
  });
}

/** A chat with its find bar open. */
async function showFinding(view: ChatView): Promise<void> {
  await view.notify(snapshot({ commands }));
  await view.page.locator('.composer textarea').focus();
  await view.page.keyboard.press('Control+f');
  await view.page.keyboard.type('close');
  await eventually(() => view.page.locator('.find-count').innerText()).not.toBe('');
}

/** A chat in which a command is being typed. */
async function showCommands(view: ChatView): Promise<void> {
  await view.notify(snapshot({ commands, isTrusted: false }));
  await view.page.locator('.composer textarea').pressSequentially('/');
  await view.page.locator('.completions').waitFor();
}

/** Asks what matters most in a compaction. */
async function showQuestion(view: ChatView): Promise<void> {
  await view.notify(snapshot({ proposal: 'ratio', strategies }));
  await view.page.locator('.answers > :nth-child(4)').click();
  await view.page.locator('.proposal-form select').waitFor();
}

const showWelcome = (view: ChatView) =>
  view.notify(snapshot({ rows: [], model: { label: 'rules', isOffline: true } }));

/** A chat that another window writes. */
const showReadOnly = (view: ChatView) =>
  view.notify(snapshot({ readOnly: { reason: 'other-window', window: 'project' }, pins: ['u1'], queue }));

/** A chat with hidden and selected messages, and the menu of one open. */
async function showHand(view: ChatView): Promise<void> {
  await view.notify(
    snapshot({
      rows: conversation.map((row) =>
        row.type === 'user' || row.type === 'assistant' ? { ...row, isPinned: false, tokens: 120 } : row,
      ),
      hidden: ['u1'],
    }),
  );
  await view.page
    .locator('.row.user')
    .last()
    .click({ modifiers: ['Control'] });
  await view.page.locator('.row.assistant .more').press('Enter');
  await view.page.getByRole('menu').waitFor();
}

const scenes = {
  'at work': showWork,
  'in a search': showFinding,
  'with messages in hand': showHand,
  'with a command being typed': showCommands,
  'asking about a compaction': showQuestion,
  'that is empty': showWelcome,
  'that is open elsewhere': showReadOnly,
} as const;

describe.each(themeNames)('in the theme %s', (theme) => {
  it.each(Object.entries(scenes))('nothing keeps anybody from using a chat %s', async (_name, show) => {
    const view = await suite.open({ theme });
    await show(view);
    // A theme whose own text is pale cannot have text that is not: our text is measured relative to it.
    const ignored = theme === 'solarized-light' ? ['color-contrast'] : [];
    expect(await graveFindings(view.page, ignored)).toEqual([]);
  });
});

describe.each([
  ['in a narrow side bar', { width: 170 }],
  ['at twice the size', { width: 190, height: 430 }],
] as const satisfies readonly (readonly [string, OpenOptions])[])('%s', (_name, options) => {
  it.each(Object.entries(scenes))('nothing keeps anybody from using a chat %s', async (_scene, show) => {
    const view = await suite.open(options);
    await show(view);
    expect(await graveFindings(view.page)).toEqual([]);
    expect(await view.overflow()).toBe(0);
  });
});

describe('in Chinese', () => {
  it.each(Object.entries(scenes))('nothing keeps anybody from using a chat %s', async (_name, show) => {
    const view = await suite.open();
    await reopenIn(view.page, 'zh-cn');
    await show(view);
    expect(await graveFindings(view.page)).toEqual([]);
  });
});

describe('by keyboard alone', () => {
  it('everything that can be done in a row is reached, and shows where one is', async () => {
    const view = await suite.open();
    await view.notify(
      snapshot({
        rows: [
          { type: 'user', id: 'u1', text: 'Look', isPinned: false },
          {
            type: 'compaction',
            id: 'c1',
            strategy: 'ladder',
            status: 'applied',
            tokensBefore: 2,
            tokensAfter: 1,
            isUndone: false,
          },
        ],
      }),
    );
    await view.page.locator('.log').focus();
    const names: string[] = [];
    for (let step = 0; step < 6; step++) {
      await view.page.keyboard.press('Tab');
      names.push(
        await view.page.evaluate(() => {
          const active = document.activeElement!;
          const { opacity, outlineStyle } = getComputedStyle(active);
          const name = active.getAttribute('aria-label') ?? active.textContent;
          return opacity === '1' && outlineStyle === 'solid' ? name : `${name} is not seen`;
        }),
      );
    }
    expect(names).toEqual([
      'Edit this message',
      'Pin this message',
      'More actions',
      'Ladder · 2 → 1',
      'Diff',
      'Undo',
    ]);
  });
});
