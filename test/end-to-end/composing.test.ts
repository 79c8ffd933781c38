import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedReply } from '../agent/openai/scripted-reply.ts';
import type { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { textOf } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import type { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';
import { turnWheel } from '../support/wheel.ts';

const read = (path: string): ScriptedReply => ({ toolCalls: [{ name: 'read_file', arguments: { path } }] });
const summary = (text: string): ScriptedReply => ({ text: `<summary>${text}</summary>` });

/** Composer features, and questions asked in turn; each test continues from the one before. */
describe('the chat', () => {
  let session: ScriptedSession;
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    session = await ScriptedSession.open({
      window: 50_000,
      strategy: 'tool-result-hiding',
      'toolResultHiding.preserveRecentGroups': 1,
    });
    ({ server, workbench, chat } = session);
    return () => session.close();
  });
  afterEach(() => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  const price = () => chat.frame.locator('.price');
  const lastSent = () => server.requests.at(-1)!.body.messages.at(-1)!.content as string;

  it('completes the path of a file, states its tokens, and attaches it', async () => {
    await chat.composer.pressSequentially('what is @lock');
    await chat.frame
      .getByRole('option', { name: /lock\.ts/ })
      .first()
      .waitFor();
    await chat.composer.press('Enter');
    await eventually(() => chat.composer.inputValue()).toContain('@src/lock.ts');
    const file = price().getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await file.filter({ hasText: /src\/lock\.ts[^]*\d+ tokens/ }).waitFor();
    await price()
      .getByText(/^This message [\d,]+ · next request [\d,]+ of 50,000$/)
      .waitFor();
    server.reply({ text: 'A lock.' });
    await chat.ask('what is @src/lock.ts');
    const [line] = (await workbench.workspace.read('src/lock.ts')).split('\n');
    expect(lastSent().startsWith('what is @src/lock.ts')).toBe(true);
    expect(lastSent()).toContain(line);
    // The chat shows the typed text, not the attachments.
    expect(await chat.questions.last().innerText()).not.toContain(line!.slice(0, 40));
  });

  it('attaches the selection in the editor', async () => {
    await chat.questions
      .last()
      .getByTitle(/src\/lock\.ts/)
      .click();
    await workbench.page.locator('.monaco-editor.focused[data-uri$="/src/lock.ts"]').waitFor();
    await workbench.page.keyboard.press('Control+a');
    await chat.composer.fill('what does #selection do?');
    await price()
      .getByRole('listitem')
      .filter({ hasText: /#selection[^]*tokens/ })
      .waitFor();
    await session.ask('what does #selection do?', { text: 'It keeps others out.' });
    expect(lastSent()).toContain("open(path, 'wx')");
  });

  it('keeps a pinned message, and says so', async () => {
    await chat.say('/pin last');
    await chat.frame.getByText('1 pinned').waitFor();
    await chat.answers.last().locator('.pin').and(chat.frame.locator('[aria-pressed="true"]')).waitFor();
    const entries = await session.entries();
    const pinned = entries.flatMap((entry) => (entry.type === 'pin' ? entry.messageIds : []));
    const texts = messagesOf({ entries }).filter(({ id }) => pinned.includes(id));
    expect(texts.map(({ content }) => content)).toEqual(['It keeps others out.']);
  });

  it('inserts a code block into the editor, and applies another after showing the change', async () => {
    const block = (value: number) => `function held() {\n  return ${value};\n}`;
    const button = (name: string) => chat.answers.last().getByRole('button', { name });
    await session.ask('write it', { text: `\`\`\`ts\n${block(1)}\n\`\`\`` });
    await button('Insert').click();
    const editor = workbench.page.locator('.monaco-editor[data-uri$="/src/lock.ts"]');
    await editor.getByText(/return.1;/).waitFor();
    // Only then does the editor take the focus; earlier, it would take it from the composer.
    await editor.and(workbench.page.locator('.focused')).waitFor();
    await session.ask('write it again', { text: `\`\`\`ts\n${block(2)}\n\`\`\`` });
    await button('Apply').click();
    await workbench.page.getByRole('tab', { name: /src\/lock\.ts \(edit\)/ }).waitFor();
    expect(await workbench.workspace.read('src/lock.ts')).not.toContain('return 2');
    const question = workbench.notification('Apply this change to src/lock.ts?');
    await question.getByRole('button', { name: 'Apply' }).click();
    await eventually(() => workbench.workspace.read('src/lock.ts')).toBe(block(2));
  });

  it('attaches a file of the workspace that is dropped on it', async () => {
    const address = `vscode-remote://server${workbench.workspace.path}/src/merge.ts`;
    await chat.composer.fill('');
    await chat.composer.evaluate((target, uri) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', uri);
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, address);
    await eventually(() => chat.composer.inputValue()).toBe('@src/merge.ts ');
    await chat.composer.fill('');
  });

  it('chooses a strategy for the workspace', async () => {
    await chat.say('/strategy whole-history');
    await chat.frame.getByRole('button', { name: /^Compaction strategy: Whole History/ }).waitFor();
    expect(await session.setting('strategy')).toBe('whole-history');
  });

  describe('compacts', () => {
    let before: string;

    it('with a focus', async () => {
      await session.ask('read the search', read('src/search.ts'), { text: 'It looks for words.' });
      before = JSON.stringify(await session.view());
      server.reply(summary('A lock file keeps a second process out.'));
      await chat.say('/compact who holds the lock');
      await chat.compactions.first().waitFor();
      const [record] = await session.records();
      expect(record).toMatchObject({
        status: 'applied',
        actualStrategy: 'whole-history',
        trigger: { source: 'manual' },
        focus: 'who holds the lock',
      });
      expect(JSON.stringify(server.requests.at(-1)!.body.messages)).toContain('who holds the lock');
    });

    it('around pinned messages', async () => {
      const texts = (await session.view()).map(({ content }) => textOf(content));
      expect(texts).toContain('It keeps others out.');
      expect(texts).not.toContain('A lock.');
    });

    it('and reports the effect in its place in the chat', async () => {
      const row = chat.compactions.first();
      await row.getByRole('button', { name: /Whole History/ }).click();
      await row.getByText(/\d+ summarised/).waitFor();
      await row.getByText(/^Kept \d+ of \d+ files?/).waitFor();
    });

    it('and can undo the compaction', async () => {
      await chat.say('/undo');
      await chat.compactions.first().getByText('undone').waitFor();
      expect(JSON.stringify(await session.view())).toBe(before);
    });
  });

  describe('asks before a compaction and', () => {
    beforeAll(async () => {
      await session.change({ mode: 'ask', strategy: 'tool-result-hiding' });
      await chat.frame.getByRole('button', { name: /^Compaction strategy: Tool Result Hiding/ }).waitFor();
    });

    const choose = (choice: string) => chat.proposal.getByRole('button', { name: choice }).click();

    /** Fills the window, answers the question, and waits for the resulting compaction. */
    async function compactionAfter(answer: () => Promise<void>): Promise<CompactionRecord> {
      const usage = { inputTokens: 45_000, outputTokens: 10 };
      await session.ask('read more', read('src/store.ts'), read('src/merge.ts'), { text: 'Read.', usage });
      await chat.frame.getByText(/^Context is \d+% full/).waitFor();
      const known = (await session.records()).length;
      await answer();
      await until(async () => expect((await session.records()).length).toBe(known + 1));
      await chat.proposal.waitFor({ state: 'hidden' });
      return (await session.records()).at(-1)!;
    }

    it('compacts now', async () => {
      const record = await compactionAfter(() => choose('Compact now'));
      expect(record).toMatchObject({ status: 'applied', actualStrategy: 'tool-result-hiding' });
    });

    it('compacts with another strategy, just this once', async () => {
      const record = await compactionAfter(async () => {
        server.reply(summary('Words and blocks were read.'));
        await choose('Other strategy…');
        await chat.proposal.getByRole('combobox').selectOption('whole-history');
        await choose('Compact');
      });
      expect(record).toMatchObject({ status: 'applied', actualStrategy: 'whole-history' });
      expect(await session.setting('strategy')).toBe('tool-result-hiding');
    });

    it('compacts with a focus', async () => {
      const record = await compactionAfter(async () => {
        await choose('With a focus…');
        await chat.proposal.getByRole('textbox').fill('the torn block');
        await choose('Compact');
      });
      expect(record).toMatchObject({ status: 'applied', focus: 'the torn block' });
    });

    it('shows the compaction first, and leaves the question open', async () => {
      const record = await compactionAfter(async () => {
        await choose('Preview…');
        const inspector = await InspectorPage.opened(workbench);
        const apply = inspector.preview.getByRole('button', { name: 'Apply', exact: true });
        await inspector.diff.locator('.diff-row').first().waitFor();
        await chat.proposal.waitFor();
        await apply.click();
      });
      expect(record).toMatchObject({ status: 'applied', trigger: { source: 'manual' } });
    });

    it('leaves everything unchanged on request', async () => {
      const known = await session.records();
      await session.ask('and more', { text: 'Done.', usage: { inputTokens: 45_000, outputTokens: 10 } });
      await choose('Not now');
      await chat.proposal.waitFor({ state: 'hidden' });
      expect(await session.records()).toEqual(known);
      expect(await chat.composer.evaluate((field) => document.activeElement === field)).toBe(true);
    });
  });

  describe('while the user reads', () => {
    it('finds words, even folded ones', async () => {
      await chat.composer.press('Control+f');
      const bar = chat.frame.getByRole('search', { name: 'Find in chat' });
      await bar.getByRole('textbox').fill('keeps others out');
      await bar.getByText('1 of 1', { exact: true }).waitFor();
      await bar.getByRole('textbox').press('Escape');
      await bar.waitFor({ state: 'hidden' });
    });

    it('keeps its position, and returns to the latest message on request', async () => {
      let sayTheRest = (): void => {};
      const goOn = new Promise<void>((resolve) => (sayTheRest = resolve));
      async function* story(): AsyncGenerator<string> {
        yield 'Once upon a time.\n\n'.repeat(60);
        await goOn;
        yield `${'And so on.\n\n'.repeat(60)}The end.`;
      }
      server.reply({ text: story() });
      await chat.say('tell me a story');
      await chat.answers.last().getByText('Once upon a time.').last().waitFor();
      const scroller = chat.frame.locator('.scroller');
      await turnWheel(scroller, -300);
      const jump = chat.frame.getByRole('button', { name: 'Jump to latest' });
      await jump.waitFor();
      const place = await scroller.evaluate(({ scrollTop }) => scrollTop);
      sayTheRest();
      await chat.answers.last().getByText('The end.').waitFor();
      expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(place);
      await jump.click();
      await jump.waitFor({ state: 'hidden' });
      await chat.done();
    });
  });

  it('explains an invalid command, and returns its text', async () => {
    await chat.say('/compat now');
    await workbench.page
      .getByText(/There is no command \/compat/)
      .first()
      .waitFor();
    await eventually(() => chat.composer.inputValue()).toBe('/compat now');
    await chat.composer.fill('');
  });

  it.each([
    ['markdown', /\.md$/, 'chat.md', '## '],
    ['html', /\.html$/, 'chat.html', '<!doctype html>'],
  ])('is written to a file as %s', async (format, suggestion, name, beginning) => {
    await chat.say(`/export ${format}`);
    const text = await workbench.saveAs(suggestion, name);
    expect(text.toLowerCase()).toContain(beginning);
    expect(text.includes('It keeps others out.')).toBe(true);
    await workbench.page.getByRole('tab', { name }).waitFor();
  });

  it('shows the content of the context window', async () => {
    await chat.say('/context');
    const inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('tab', { name: 'Window' }).waitFor();
  });

  it('is replaced by a new chat on command', async () => {
    await chat.say('/new');
    await chat.questions.first().waitFor({ state: 'detached' });
  });

  it('gets a new title from the model or the user', async () => {
    const titles = () => workbench.quickInput.locator('.monaco-list-row').first();
    await session.ask('Look at the lock, please.', { text: 'It is taken twice.' });
    server.reply({ text: '<title>Lock taken twice</title>' });
    await workbench.runCommand('Context Budget: Regenerate Title');
    await workbench.runCommand('Context Budget: Chat History');
    await titles().filter({ hasText: 'Lock taken twice' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand('Context Budget: Rename Chat');
    await eventually(() => workbench.quickInput.getByRole('textbox').inputValue()).toBe('Lock taken twice');
    await workbench.quickInput.getByRole('textbox').fill('My own name');
    await workbench.quickInput.getByRole('textbox').press('Enter');
    await workbench.runCommand('Context Budget: Chat History');
    await titles().filter({ hasText: 'My own name' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await chat.say('/new');
    await chat.questions.first().waitFor({ state: 'detached' });
  });

  it('hides the focused message with the keyboard', async () => {
    await session.ask('Say something.', { text: 'Something to hide.' });
    await session.ask('And again.', { text: 'Something to keep.' });
    await chat.frame.locator('.log').press('Enter');
    await chat.frame.locator('.row:focus').press('ArrowUp');
    await chat.frame.locator('.row:focus').press('ArrowUp');
    await chat.frame.locator('.row.assistant:focus').getByText('Something to hide.').waitFor();
    const hide = workbench.page.getByRole('button', { name: 'Hide', exact: true });
    // The editor learns of the focused row a moment later, and handles keys itself until then.
    await eventually(async () => {
      await workbench.page.keyboard.press('Control+Alt+k');
      await workbench.page.keyboard.press('h');
      return hide.isVisible();
    }).toBe(true);
    await hide.click();
    await chat.frame.locator('.hidden-messages').getByText('Something to hide.').waitFor();
    await chat.say('/new');
    await chat.questions.first().waitFor({ state: 'detached' });
  });

  describe('can be handed off', () => {
    const row = (label: string) => workbench.quickInput.locator('.monaco-list-row', { hasText: label });
    const draft = () => workbench.page.locator('.monaco-editor[data-uri^="untitled:"]');

    it('only after the first message', async () => {
      await chat.say('/handoff');
      await workbench.page.getByText('There is nothing to hand off yet.').first().waitFor();
      await eventually(() => chat.composer.inputValue()).toBe('/handoff');
    });

    it('to the clipboard or a file, as edited by the user', async () => {
      await session.ask('Read the lock. Never touch the store.', read('src/lock.ts'), {
        text: 'It takes the lock. Shall I also look at the search?',
      });
      await chat.say('/handoff mind the tests');
      await row('Save It as a Markdown File').waitFor();
      // The list stays while the user writes into the document.
      await draft().locator('.view-line').last().click();
      await workbench.page.keyboard.press('Control+End');
      await workbench.page.keyboard.type('Edited by hand.');
      await row('Save It as a Markdown File').click();
      const text = await workbench.saveAs(/handoff .*\.md$/, 'handoff.md');
      expect(text).toMatch(/^# Handoff: .+\n/);
      expect(text).toContain('- mind the tests');
      expect(text).toContain('- Read the lock. Never touch the store.');
      expect(text).toContain('Shall I also look at the search?');
      expect(text).toContain('src/lock.ts');
      expect(text).toContain('Edited by hand.');
      await workbench.page.getByRole('tab', { name: 'handoff.md' }).waitFor();
      await draft().waitFor({ state: 'detached' });
    });

    it('to the clipboard', async () => {
      await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await workbench.runCommand('Context Budget: Hand Off Chat…');
      await row('Copy It').click();
      await draft().waitFor({ state: 'detached' });
      await eventually(() => workbench.page.evaluate(() => navigator.clipboard.readText())).toMatch(
        /^# Handoff: [^]*- Read the lock\. Never touch the store\./,
      );
    });

    it('to a new chat, with a summary of the discussion', async () => {
      await workbench.runCommand('Context Budget: Hand Off Chat…');
      server.reply(summary('They spoke of locks.'));
      await row('Include a Summary').click();
      await row('Include a Summary').waitFor({ state: 'hidden' });
      await row('Start a New Chat with It').click();
      await chat.questions.first().waitFor({ state: 'detached' });
      // Before it is closed, the draft takes the focus, and would receive the key.
      await draft().waitFor({ state: 'detached' });
      await eventually(() => chat.composer.inputValue()).toMatch(/^# Handoff: [^]*They spoke of locks\./);
      expect(await chat.composer.inputValue()).toContain('- Read the lock. Never touch the store.');
      server.reply({ text: 'On it.' });
      await chat.composer.press('Enter');
      await chat.answers.last().getByText('On it.').waitFor();
      expect(lastSent()).toMatch(/^# Handoff: /);
    });
  });
});
