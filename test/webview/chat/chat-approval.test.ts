import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ChatRow, ToolRow } from '../../../src/protocol/chat-rows.ts';
import { waitingCommand, waitingEdit } from '../support/action-fixtures.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
async function ask(...rows: readonly ChatRow[]): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ rows, activity: 'approval' }));
  return view;
}

const card = ({ page }: ChatView): Locator => page.getByRole('group', { name: /^Approval: / });
const button = (view: ChatView, name: string): Locator =>
  card(view).last().getByRole('button', { name, exact: true });
const feedback = (view: ChatView): Locator =>
  view.page.getByRole('textbox', { name: 'What should it do instead?' });
const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((node) => (node.getRootNode() as Document | ShadowRoot).activeElement === node);

function answered(view: ChatView, row: ToolRow): Promise<void> {
  const { approval: _approval, ...rest } = row;
  const changes = [{ type: 'row', row: { ...rest, state: 'running' } }] as const;
  return view.notify({ type: 'changes', revision: 2, changes });
}

function withApproval(changes: Partial<NonNullable<ToolRow['approval']>>): ToolRow {
  return { ...waitingCommand, approval: { ...waitingCommand.approval!, ...changes } };
}

describe('a command that waits for approval', () => {
  it('is shown in full, with its warning', async () => {
    const view = await ask(withApproval({ warning: 'It cannot be told what this runs.' }));
    await eventually(() => card(view).locator('pre').innerText()).toBe(
      'npm test -- session-store --repeat 40',
    );
    await card(view).getByText('It cannot be told what this runs.').waitFor();
    await view.page.getByRole('button', { name: /run_command.*needs your approval/ }).waitFor();
  });

  it('is shown to the last line above the buttons, even if it is long', async () => {
    const view = await ask(withApproval({ details: `${'echo harmless\n'.repeat(200)}echo last` }));
    const text = card(view).locator('pre');
    const inside = await text.evaluate((node) => node.scrollHeight - node.clientHeight);
    expect(inside).toBeLessThanOrEqual(0);
    const [box, answer, scroller] = await Promise.all([
      text.boundingBox(),
      button(view, 'Allow once').boundingBox(),
      view.page.locator('.scroller').boundingBox(),
    ]);
    expect(box!.y + box!.height).toBeLessThan(answer!.y);
    expect(box!.y + box!.height).toBeGreaterThan(scroller!.y);
    await card(view).getByText('201 lines, 2,809 characters; the end is above the buttons.').waitFor();
    await button(view, 'Show the beginning').click();
    await eventually(async () => (await text.boundingBox())!.y).toBeGreaterThanOrEqual(scroller!.y - 1);
  });

  it.each([
    ['reverses the text', 'rm\u202e \u200bfile\tx', 'rm⟨U+202E⟩ ⟨U+200B⟩file\tx'],
    ['is an invisible letter', 'cp a \u3164/b', 'cp a ⟨U+3164⟩/b'],
    ['is empty and repeated', `ls ${'\u2800'.repeat(900)}; x`, 'ls ⟨900 × U+2800⟩; x'],
    ['selects a variant of the character before it', 'echo x\ufe01\u034f', 'echo x⟨U+FE01⟩⟨U+034F⟩'],
    ['is stacked on the character before it', 'a\u0301\u0301\u0301', 'a\u0301\u0301⟨U+0301⟩'],
    ['ends a line', 'ls  \n', 'ls⟨2 × U+0020⟩⟨U+000A⟩'],
    ['pushes the rest out of view', `a${' '.repeat(600)}; b`, 'a⟨600 × U+0020⟩; b'],
    ['is a line feed, repeated', `a${'\n'.repeat(14)}b`, 'a\n⟨14 × U+000A⟩\nb'],
    ['moves the cursor of the terminal', 'npm test \x1b[2K\rls', 'npm test ⟨U+001B⟩[2K⟨U+000D⟩ls'],
  ])('shows the code of a character that %s', async (_what, details, shown) => {
    const view = await ask(withApproval({ details }));
    await eventually(() => card(view).locator('pre').textContent()).toBe(shown);
  });

  it('shows text in other languages unchanged, with the characters in the order in which they run', async () => {
    const details = 'echo "Größe 文件 שלום"';
    const view = await ask(withApproval({ details }));
    await eventually(() => card(view).locator('pre').textContent()).toBe(details);
    expect(await card(view).locator('.named-character').count()).toBe(0);
    const direction = card(view).locator('pre');
    expect(await direction.evaluate((node) => getComputedStyle(node).unicodeBidi)).toBe('bidi-override');
  });

  it('warns of a word with letters that look like other letters', async () => {
    const view = await ask(withApproval({ details: 'n\u0440m install' }));
    await card(view).getByText('Contains characters that look like others: n\u0440m.').waitFor();
    const plain = await ask(withApproval({ details: 'echo привет мир' }));
    expect(await card(plain).getByText('Contains characters that look like others').isVisible()).toBe(false);
  });

  const place = (view: ChatView) => card(view).getByRole('combobox', { name: 'Where it runs' });

  it('shows that it will run in the sandbox, and sends a different choice of the user', async () => {
    const view = await ask(withApproval({ terms: { reach: 'sandbox' } }));
    await eventually(() => place(view).inputValue()).toBe('sandbox');
    await card(view)
      .getByText(
        '“Allow for this session” and “Always allow” cover: npm test …, in the sandbox without network',
      )
      .waitFor();
    await place(view).selectOption('In the sandbox, with network');
    await card(view).getByText('it also reaches services of this machine').waitFor();
    await card(view)
      .getByText('“Allow for this session” and “Always allow” cover: npm test …, in the sandbox with network')
      .waitFor();
    await button(view, 'Always allow').click();
    await view.expectPost({ type: 'decide', id: 'command', choice: 'always', reach: 'network' });
  });

  it('shows the reason for network access, with hidden characters made visible', async () => {
    const terms = { reach: 'network', networkReason: 'It installs\u202e packages.' } as const;
    const view = await ask(withApproval({ terms }));
    await card(view).getByText('Asks for network access: “It installs⟨U+202E⟩ packages.”').waitFor();
    await eventually(() => place(view).inputValue()).toBe('network');
    await button(view, 'Allow once').click();
    await view.expectPost({ type: 'decide', id: 'command', choice: 'once', reach: 'network' });
  });

  it('warns before it runs outside the sandbox', async () => {
    const view = await ask(withApproval({ terms: { reach: 'sandbox' } }));
    expect(await card(view).getByText('all that you can').isVisible()).toBe(false);
    await place(view).selectOption('Outside the sandbox');
    await card(view).getByText('Outside the sandbox, it can do anything you can.').waitFor();
  });

  it.each([
    ['off', 'The sandbox is turned off'],
    ['missing', 'This machine has no sandbox'],
    ['home', 'Your home folder is in the workspace'],
  ] as const)('states why there is no sandbox: %s', async (withoutSandbox, why) => {
    const view = await ask(withApproval({ terms: { reach: 'everything', withoutSandbox } }));
    await card(view).getByText(why).waitFor();
    expect(await place(view).isVisible()).toBe(false);
    await button(view, 'Allow once').click();
    await view.expectPost({ type: 'decide', id: 'command', choice: 'once' });
  });

  it.each([
    ['Allow once', 'once'],
    ['Allow for this session', 'session'],
    ['Always allow', 'always'],
  ] as const)('sends the answer “%s”', async (name, choice) => {
    const view = await ask(waitingCommand);
    await button(view, name).click();
    await view.expectPost({ type: 'decide', id: 'command', choice });
  });

  it('is answered once, even if the user clicks again', async () => {
    const view = await ask(waitingCommand);
    await button(view, 'Allow once').dblclick();
    await button(view, 'Always allow').click();
    expect(await view.posted('decide')).toHaveLength(1);
  });

  it('states what an answer for the session and a permanent answer allow', async () => {
    const view = await ask(waitingCommand);
    await card(view).getByText('“Allow for this session” and “Always allow” cover: npm test …').waitFor();
  });

  it('offers only Allow once and Reject if there is no rule', async () => {
    const view = await ask(withApproval({ rule: undefined }));
    await button(view, 'Allow once').waitFor();
    expect(await button(view, 'Reject').isVisible()).toBe(true);
    expect(await card(view).getByRole('button').count()).toBe(2);
  });

  it('closes after the answer, and moves the focus to where Enter allows nothing', async () => {
    const view = await ask(waitingCommand);
    await button(view, 'Allow once').press('Enter');
    await answered(view, waitingCommand);
    await card(view).waitFor({ state: 'detached' });
    expect(await isFocused(view.page.getByRole('button', { name: /^run_command/ }))).toBe(true);
  });
});

describe('rejecting a command', () => {
  it('asks what the agent should do instead, and sends it with Enter', async () => {
    const view = await ask(waitingCommand);
    await button(view, 'Reject').click();
    expect(await isFocused(feedback(view))).toBe(true);
    await feedback(view).fill('Run it four times only.');
    await feedback(view).press('Enter');
    await view.expectPost({
      type: 'decide',
      id: 'command',
      choice: 'reject',
      feedback: 'Run it four times only.',
    });
  });

  it('does not require a reason', async () => {
    const view = await ask(waitingCommand);
    await button(view, 'Reject').click();
    await button(view, 'Reject').click();
    await view.expectPost({ type: 'decide', id: 'command', choice: 'reject' });
  });

  it('can be cancelled with Escape', async () => {
    const view = await ask(waitingCommand);
    await button(view, 'Reject').click();
    await feedback(view).press('Escape');
    expect(await isFocused(button(view, 'Reject'))).toBe(true);
    await button(view, 'Allow once').waitFor();
    expect(await view.posted('decide')).toEqual([]);
    expect(await view.posted('stop')).toEqual([]);
  });

  it('keeps a typed reason while other rows change', async () => {
    const view = await ask(waitingCommand);
    await button(view, 'Reject').click();
    await feedback(view).fill('Half a sentence');
    await view.notify(snapshot({ rows: [structuredClone(waitingCommand)], activity: 'approval' }, 5));
    await eventually(() => feedback(view).inputValue()).toBe('Half a sentence');
  });
});

describe('edits that wait for approval', () => {
  it('mark added and removed lines with signs in each file', async () => {
    const view = await ask(waitingEdit);
    await eventually(() => card(view).getByRole('insertion').allInnerTexts()).toEqual([
      '+  await handle.close();\n+  await rename(temporary, path);',
      "+import { acquire } from '../../src/session/lock.ts';\n+",
    ]);
    await eventually(() => card(view).getByRole('deletion').allInnerTexts()).toEqual([
      '-  await rename(temporary, path);',
    ]);
    await card(view).getByText('2 lines added, 1 line removed').waitFor();
  });

  it('open in the diff editor one by one', async () => {
    const view = await ask(waitingEdit);
    await card(view)
      .getByRole('button', { name: 'Review test/session/lock.test.ts in the diff editor' })
      .click();
    await view.expectPost({ type: 'review', id: 'edit', path: 'test/session/lock.test.ts' });
  });

  it('state that the diff is shortened', async () => {
    const [file] = waitingEdit.approval!.changes;
    const changes = [{ ...file!, added: 400 }];
    const view = await ask({ ...waitingEdit, approval: { ...waitingEdit.approval!, changes } });
    await card(view).getByText('The diff editor shows the full change.').waitFor();
  });
});

describe('while an action waits for approval', () => {
  const line = ({ page }: ChatView): Locator => page.locator('.waiting-line').getByRole('status');

  it('a line above the composer reports it, and the focus does not move', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [] }));
    const input = view.page.getByRole('textbox', { name: 'Message' });
    await input.focus();
    const changes = [{ type: 'row', row: waitingCommand }] as const;
    await view.notify({ type: 'changes', revision: 2, changes });
    await eventually(() => line(view).innerText()).toMatch(/^1 action needs your approval/);
    await eventually(() => line(view).textContent()).toContain('Run npm test -- session-store');
    expect(await isFocused(input)).toBe(true);
  });

  it('the line about it scrolls to the action from anywhere in the chat', async () => {
    const said = Array.from({ length: 60 }, (_, index): ChatRow => ({
      type: 'user',
      id: `u${index}`,
      text: 'Something that was said.',
    }));
    const view = await ask(waitingCommand, ...said);
    await view.page.getByRole('button', { name: 'Show', exact: true }).click();
    await eventually(() => isFocused(card(view))).toBe(true);
    const [cardBox, scroller] = await Promise.all([
      card(view).boundingBox(),
      view.page.locator('.scroller').boundingBox(),
    ]);
    expect(cardBox!.y).toBeGreaterThanOrEqual(scroller!.y - 1);
    expect(cardBox!.y).toBeLessThan(scroller!.y + scroller!.height);
  });

  it('this line moves from one waiting action to the next', async () => {
    const view = await ask(waitingEdit, waitingCommand);
    await eventually(() => line(view).innerText()).toMatch(/^2 actions need your approval/);
    const next = view.page.getByRole('button', { name: 'Show next' });
    for (const index of [0, 1, 0]) {
      await next.click();
      await eventually(() => isFocused(card(view).nth(index))).toBe(true);
    }
    await card(view).first().getByRole('button', { name: 'Allow once' }).click();
    await view.expectPost({ type: 'decide', id: 'edit', choice: 'once' });
  });

  it('this line disappears once nothing waits', async () => {
    const view = await ask(waitingCommand);
    await answered(view, waitingCommand);
    await eventually(() => line(view).innerText()).toBe('');
    expect(await view.page.getByRole('button', { name: 'Show', exact: true }).count()).toBe(0);
  });

  it('the buttons are stacked in the narrowest side bar', async () => {
    const view = await suite.open({ width: 170 });
    await view.notify(snapshot({ rows: [waitingCommand], activity: 'approval' }));
    const boxes = await Promise.all(
      (await card(view).getByRole('button').all()).map((each) => each.boundingBox()),
    );
    expect(boxes).toHaveLength(4);
    expect(new Set(boxes.map((box) => box!.x)).size).toBe(1);
    expect(new Set(boxes.map((box) => box!.y)).size).toBe(4);
    expect(await view.overflow()).toBe(0);
  });
});
