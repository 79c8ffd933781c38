import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PlayedServer } from '../agent/providers/played-server.ts';
import type { ScriptedServer } from '../agent/openai/scripted-server.ts';
import type { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage, openFold } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import { SessionLog } from '../harness/session-log.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually } from '../support/eventually.ts';

/** An OpenAI-compatible endpoint on this machine, which needs no key. */
describe('a conversation with an endpoint', () => {
  let session: ScriptedSession;
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    session = await ScriptedSession.open({ window: 50_000, strategy: 'llm-summary' });
    ({ server, workbench, chat } = session);
    return () => session.close();
  });
  afterEach(() => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  it("streams an answer as Markdown, and neutralises the model's text", async () => {
    const text =
      '**Bold** and `src/store.ts:12`.\n\n<img src="https://example.com/x.png"><script>alert(1)</script>';
    server.reply({ text, chunks: 8, usage: { inputTokens: 1_234, outputTokens: 56 } });
    await chat.ask('hello');
    await chat.answers.last().locator('strong', { hasText: 'Bold' }).waitFor();
    expect(await chat.answers.last().locator('img, script').count()).toBe(0);
    await chat.frame.getByText('scripted', { exact: true }).waitFor();
  });

  it('runs the tools that the model calls', async () => {
    server.reply(
      {
        toolCalls: [
          { name: 'read_file', arguments: { path: 'README.md' } },
          { name: 'search_text', arguments: { pattern: 'torn' } },
        ],
      },
      { text: 'Read it.', usage: { inputTokens: 2_345, outputTokens: 10 } },
    );
    const before = server.requests.length;
    await chat.ask('read the readme');
    const results = server.requests[before + 1]!.body.messages.filter(({ role }) => role === 'tool');
    // Results of parallel calls arrive in the order of their ends.
    expect(results.map(({ content }) => content)).toEqual(
      expect.arrayContaining([expect.stringContaining('Driftwood'), expect.stringContaining('torn')]),
    );
  });

  it('shows reported tokens separately from counted ones', async () => {
    await chat.meter.click();
    const inspector = await InspectorPage.opened(workbench);
    const panel = await inspector.choose('Window');
    await openFold(panel, 'Numbers');
    await panel.getByText('4,129').first().waitFor();
    await panel.getByText('Counted by the provider only').first().waitFor();
  });

  it('can be stopped, which closes the connection and keeps the partial answer', async () => {
    server.reply({ text: 'Half an answer', then: 'silence' });
    const position = server.requests.length;
    await chat.say('go on');
    await chat.answers.getByText('Half an answer').waitFor();
    await chat.stop.click();
    await chat.done();
    expect(await (await server.request(position)).closed).toBe('client');
    await chat.answers.last().getByText('Stopped before it finished.').waitFor();
  });

  it('shows an error with a working Retry button', async () => {
    // The SDK tries twice more on its own.
    const failure = { status: 500, body: { error: { message: 'The engine room is flooded.' } } };
    server.reply(failure, failure, failure);
    await chat.say('and now?');
    await chat.error.getByText('The engine room is flooded.').waitFor();
    server.reply({ text: 'All dry again.' });
    await chat.error.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('All dry again.').waitFor();
    expect(await chat.error.count()).toBe(0);
    const log = await SessionLog.of(workbench);
    const view = await log.view();
    expect(view.filter(({ content }) => content === 'and now?')).toHaveLength(1);
  });

  it('recovers from an overflow, and reports it in one quiet row', async () => {
    const overflow = {
      status: 400,
      body: {
        error: {
          code: 'context_length_exceeded',
          message:
            "This model's maximum context length is 9000 tokens. However, your messages resulted in 11000 tokens.",
        },
      },
    };
    server.reply({ text: 'a long story '.repeat(2_000) });
    await chat.ask('tell me a lot');
    server.reply(overflow, { text: '<summary>what was said so far</summary>' }, { text: 'Recovered.' });
    await chat.say('one more');
    await chat.answers.getByText('Recovered.').waitFor();
    await chat.done();
    await eventually(() => chat.compactions.last().innerText()).toMatch(/→/);
  });

  describe('that switches to another model', () => {
    const input = () => workbench.quickInput.locator('input').first();
    const title = (text: string) => workbench.quickInput.getByText(text, { exact: true }).first();

    /** Answers the questions up to that for the model. */
    async function choose(provider: string, baseUrl: string): Promise<void> {
      await workbench.quickInput.locator('.monaco-list-row', { hasText: provider }).first().click();
      await title(`Base URL of ${provider}`).waitFor();
      await input().fill(baseUrl);
      await input().press('Enter');
      await title('Model').waitFor();
    }

    it('lists the models of an endpoint', async () => {
      const other = await PlayedServer.start({
        'GET /v1/models': { data: [{ id: 'small-one' }, { id: 'large-one', context_length: 123_000 }] },
      });
      try {
        await chat.say('/model');
        await choose('OpenAI', other.baseUrl);
        const large = workbench.quickInput.locator('.monaco-list-row', { hasText: 'large-one' });
        await large.getByText('123,000 tokens').waitFor();
        await large.click();
        await chat.frame.getByText('large-one', { exact: true }).waitFor();
        expect(await session.setting('model')).toBe('large-one');
      } finally {
        await other.close();
      }
    });

    it('accepts the name of a model, which then answers', async () => {
      await workbench.runCommand('Context Budget: Select Model');
      await choose('vLLM', server.baseUrl);
      await input().fill('my-own');
      await workbench.quickInput.locator('.monaco-list-row', { hasText: 'Use “my-own”' }).click();
      await chat.frame.getByText('my-own', { exact: true }).waitFor();
      await session.ask('who is there?', { text: 'It is me.' });
      // The server also gets requests for its models, which name none.
      const asked = server.requests.findLast(({ method }) => method === 'POST');
      expect(asked!.body.model).toBe('my-own');
    });
  });
});
