import { beforeAll, describe, it } from 'vitest';
import { InspectorPage } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import { eventually } from '../support/eventually.ts';
import { take } from './take.ts';

const summary = `<summary>
Goal: find out what happens to notes when a process dies while it writes.

- \`src/store.ts\` appends every change to a log, as a frame with a checksum; a torn frame at the end is cut off when the log is read again.
- \`src/lock.ts\` keeps two writers apart with a file opened with \`wx\`; the lock of a process that is gone is taken over.

Open: damage in the middle of the log is reported, but not repaired.
</summary>`;

/** Takes pictures of manual edits of the context: a hidden message, a preview and a handoff. */
describe('pictures of manual edits', () => {
  let session: ScriptedSession;

  beforeAll(async () => {
    session = await ScriptedSession.open(
      { window: 20_000, mode: 'off', strategy: 'llm-summary', model: 'gpt-5-mini' },
      {
        settings: {
          'workbench.colorTheme': 'Dark Modern',
          'workbench.statusBar.visible': false,
          'editor.fontFamily': 'DejaVu Sans Mono',
          'editor.minimap.enabled': false,
          'editor.wordWrap': 'on',
          // The list of destinations covers the upper end of the editor.
          'editor.padding.top': 190,
        },
        size: { width: 1240, height: 760 },
      },
    );
    await session.workbench.setSideBarWidth(420);
    await session.ask(
      'What happens to a note when the process dies while it writes?',
      reads('src/store.ts'),
      {
        text: 'Each change is a frame with a checksum at the end of the log. A frame that was torn is cut off when the log is read again, so only the last change is lost.',
      },
    );
    await session.ask('How are two logs merged?', reads('src/merge.ts', 'src/frame.ts'), {
      text: 'By the ids of their events: whatever the other log has and this one has not is appended.',
    });
    await session.ask('And two processes at once? Plan how to test it.', reads('src/lock.ts'), plan, {
      text: 'A lock file keeps them apart. If its process is gone, the next one takes the lock over.',
    });
    return () => session.close();
  });

  it('a hidden message: a quiet line in the chat, with a way back', async () => {
    const { chat, workbench } = session;
    await chat.tools.first().click({ button: 'right' });
    await chat.frame.getByRole('menuitem', { name: 'Hide', exact: true }).click();
    const dialog = workbench.page.getByRole('dialog');
    await dialog
      .getByText(/tokens/u)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
    const line = chat.frame.locator('.hidden-messages');
    await line.getByRole('button', { name: /^Show/u }).waitFor();
    await workbench.page.mouse.move(1200, 740);
    await take(workbench.page.locator('.part.sidebar'), 'chat-hidden.png');
  });

  it('a summary that can be edited before it is applied', async () => {
    const { server, workbench } = session;
    server.reply({ text: summary });
    await workbench.page.setViewportSize({ width: 1360, height: 900 });
    await workbench.runCommand('Context Budget: Compact with Preview…');
    const inspector = await InspectorPage.opened(workbench);
    const editor = inspector.preview.getByLabel('Summary', { exact: true });
    await eventually(() => editor.inputValue()).not.toBe('');
    await inspector.diff.getByText('summarised', { exact: true }).first().waitFor();
    await workbench.page.mouse.move(1200, 740);
    await take(workbench.page.locator('.part.editor'), 'inspector-preview.png');
    await inspector.preview.getByRole('button', { name: 'Discard' }).click();
  });

  it('the draft of a handoff, and its destinations', async () => {
    const { chat, workbench } = session;
    // Lower than before, because the line with the folder of the workspace differs in every run.
    await workbench.page.setViewportSize({ width: 1240, height: 650 });
    await chat.say('/handoff');
    await workbench.quickInput.getByText('Start a New Chat').first().waitFor();
    await workbench.page.mouse.move(1200, 740);
    await take(workbench.page, 'handoff.png');
    await workbench.page.keyboard.press('Escape');
  });
});

const plan = {
  toolCalls: [
    {
      name: 'update_plan',
      arguments: {
        steps: [
          { text: 'Read the store and its lock', status: 'done' },
          { text: 'Write a test that kills a process while it writes', status: 'in_progress' },
          { text: 'Repair damage in the middle of the log', status: 'pending' },
        ],
      },
    },
  ],
};

function reads(...paths: readonly string[]) {
  return { toolCalls: paths.map((path) => ({ name: 'read_file', arguments: { path } })) };
}
