import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readOwner } from '../../src/agent/locks/session-lock.ts';
import { readSession } from '../../src/transcripts/session/session-format.ts';
import type { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';

/** Two tabs of a browser on one folder: two windows, each with a separate extension host. */
describe('a chat in two windows', () => {
  let server: ScriptedServer;
  let first: VscodeWorkbench;
  let second: VscodeWorkbench;
  let chat: ChatPage;
  let other: ChatPage;
  /** All answered, and so acknowledged, messages of the chat. */
  const said: string[] = [];

  beforeAll(async () => {
    const session = await ScriptedSession.open({});
    ({ server, workbench: first, chat } = session);
    server.replyWith(({ lastText }) => ({ text: `An answer to: ${lastText}` }));
    await say(chat, 'Where is the lock?');
    second = await first.openTab();
    other = await ChatPage.open(second);
    return () => session.close();
  });
  afterEach(() => {
    expect([...first.problems.ofWebviews, ...second.problems.ofWebviews]).toEqual([]);
  });

  const say = async (where: ChatPage, text: string) => {
    await where.ask(text);
    said.push(text);
  };
  const expectSaid = async (where: ChatPage) => {
    await until(async () => expect(await where.questions.allInnerTexts()).toEqual(asShown(said)));
  };

  it('can be written in one window and is read-only in the other', async () => {
    await other.readOnlyBanner.getByText('This chat is open in another window').waitFor();
    expect(await other.composer.isVisible()).toBe(false);
    expect(await chat.readOnlyBanner.count()).toBe(0);
    await expectSaid(other);
  });

  it('shows new messages in the other window once they are written', async () => {
    await say(chat, 'Who takes it?');
    await expectSaid(other);
    await other.answers.getByText('An answer to: Who takes it?').waitFor();
    await other.readOnlyBanner.waitFor();
  });

  it('can be forked: the other window writes the copy, and the chat stays unchanged', async () => {
    await other.readOnlyBanner.getByRole('button', { name: 'Fork' }).click();
    await other.composer.waitFor();
    await other.ask('Said in the copy only.');
    await eventually(() => other.questions.allInnerTexts()).toEqual(
      asShown([...said, 'Said in the copy only.']),
    );
    await expectSaid(chat);
    await say(chat, 'Who gives it back?');
    expect(await other.questions.getByText('Who gives it back?').count()).toBe(0);
    await chooseChat(second);
    await other.readOnlyBanner.waitFor();
    await expectSaid(other);
  });

  it('can be taken over during an answer, which keeps the text so far and makes the first window read-only', async () => {
    server.reply({ text: 'Half of an answer', then: 'silence' });
    await chat.say('How long does it last?');
    said.push('How long does it last?');
    await chat.answers.getByText('Half of an answer').waitFor();
    await other.readOnlyBanner.getByRole('button', { name: 'Take over' }).click();
    await other.composer.waitFor();
    await chat.readOnlyBanner.waitFor();
    expect(await chat.composer.isVisible()).toBe(false);
    await other.answers.getByText('Half of an answer').waitFor();
    await say(other, 'Who waits for it?');
    await expectSaid(other);
    await expectSaid(chat);
  });

  it('shows everything in both windows after a reload', async () => {
    await first.reload();
    await second.reload();
    chat = await ChatPage.open(first);
    other = await ChatPage.open(second);
    await expectSaid(chat);
    await expectSaid(other);
    await chat.answers.getByText('Half of an answer').waitFor();
    expect(await writers()).toHaveLength(1);
  });

  it('can be continued in one window when the program of the other is killed', async () => {
    const [looking, writing] = (await chat.readOnlyBanner.isVisible()) ? [chat, other] : [other, chat];
    await say(writing, 'What if it dies?');
    await expectSaid(looking);
    const { owner } = (await writers())[0]!;
    process.kill(owner, 'SIGKILL');
    // Either one may continue: the read-only window, or the restarted one.
    await until(async () => {
      const [next] = await writers();
      expect(next?.owner).not.toBe(owner);
      expect(next).toBeDefined();
    });
    expect(await writers()).toHaveLength(1);
  });

  it('can be continued in the second window when the first is closed', async () => {
    await first.reload();
    chat = await ChatPage.open(first);
    await expectSaid(chat);
    if (await chat.readOnlyBanner.isVisible()) {
      await chat.readOnlyBanner.getByRole('button', { name: 'Take over' }).click();
    }
    await chat.composer.waitFor();
    other = await ChatPage.open(second);
    await other.readOnlyBanner.waitFor();
    await say(chat, 'Who closes it?');
    await first.page.close();
    await other.composer.waitFor();
    await expectSaid(other);
    await say(other, 'Who is left?');
    const { path } = (await writers())[0]!;
    const { entries, problems } = readSession(await readFile(path, 'utf8'));
    expect(problems).toEqual([]);
    const asked = entries.flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'user' ? [entry.message.content] : [],
    );
    expect(asked).toEqual(said);
  });

  it('can be continued in a new window after a crash, even if the old program still runs', async () => {
    const { owner } = (await writers())[0]!;
    const third = await second.openTabAfterCrash();
    const next = await ChatPage.open(third);
    await next.composer.waitFor();
    await expectSaid(next);
    await say(next, 'Who is back?');
    expect((await writers()).map((writer) => writer.owner)).not.toContain(owner);
    // The program does not end, because it waits for its window.
    expect(() => process.kill(owner, 0)).not.toThrow();
    expect(third.problems.ofWebviews).toEqual([]);
  });

  /** Shows the chat of these tests, not its copy. */
  async function chooseChat(workbench: VscodeWorkbench): Promise<void> {
    const row = workbench.listRows('Where is the lock?').filter({ hasNotText: '(copy)' });
    await workbench.runAndChoose('Context Budget: Chat History', row);
  }

  /** Processes that have a chat open now, with their files. */
  async function writers(): Promise<readonly { readonly path: string; readonly owner: number }[]> {
    const files = await first.storage.files();
    const found = await Promise.all(
      files
        .filter((path) => path.endsWith('.jsonl.owner'))
        .map(async (path) => {
          const owner = await readOwner(path);
          return owner === undefined ? [] : [{ path: path.slice(0, -'.owner'.length), owner: owner.process }];
        }),
    );
    return found.flat();
  }
});

/** Texts of questions as a page shows them. */
function asShown(texts: readonly string[]): readonly unknown[] {
  return texts.map((text): unknown => expect.stringContaining(text));
}
