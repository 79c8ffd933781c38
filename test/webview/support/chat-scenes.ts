import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { actions, plan, queue } from './action-fixtures.ts';
import { commands, conversation, recordDetails, snapshot, strategies } from './chat-fixtures.ts';
import { type ChatView, eventually } from './view.ts';

const draft = 'Look at @src/store.ts and @gone.ts';

/** At least one row of every type, and one with every action. */
export const everyRow: readonly ChatRow[] = [
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
    pictures: [{ key: '0:u20', size: { width: 640, height: 480 }, tokens: 410 }],
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
];

/** A chat at work, with everything open that opens. */
async function showWork(view: ChatView): Promise<void> {
  await view.notify(
    snapshot({
      rows: everyRow,
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

/** Everything that a chat page shows, by the words for the state that it is in. */
export const chatScenes = {
  'at work': showWork,
  'in a search': showFinding,
  'with messages in hand': showHand,
  'with a command being typed': showCommands,
  'asking about a compaction': showQuestion,
  'that is empty': showWelcome,
  'that is open elsewhere': showReadOnly,
} as const;
