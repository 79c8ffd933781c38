import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/session/session-ports.ts';
import { defineTool } from '../../../src/agent/tools/support/define-tool.ts';
import { ok } from '../../../src/agent/tools/support/tool.ts';
import { interruptedResultText } from '../../../src/compaction/messages/exchange.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { createMeter } from '../../support/engine.ts';
import { SessionHarness } from './session-harness.ts';

/** A tool that never returns, as when the editor is killed while it runs. */
const endless = defineTool({
  name: 'deploy',
  description: 'Deploys.',
  properties: { to: { type: 'string', description: 'Where.' } },
  required: ['to'],
  describe: ({ to = '' }) => to,
  run: ({ to }) => (to === 'staging' ? Promise.resolve(ok('Deployed.')) : new Promise(() => {})),
});

function isResult(event: AgentEvent): event is Extract<AgentEvent, { type: 'entry' }> {
  return event.type === 'entry' && event.entry.type === 'message' && event.entry.message.role === 'tool';
}

describe('a crash between a call and its result', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });

  /** A session whose host is gone: the first of two calls has its result, the second has not. */
  const crash = async () => {
    const harness = await SessionHarness.start(meter, { tools: () => [endless] });
    harness.server.reply({
      toolCalls: [
        { id: 'a', name: 'deploy', arguments: { to: 'staging' } },
        { id: 'b', name: 'deploy', arguments: { to: 'production' } },
      ],
    });
    void harness.session.send('deploy it');
    await harness.event(isResult);
    return harness;
  };
  const results = (messages: readonly { readonly role: string; readonly content: unknown }[]) =>
    messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

  it.each([
    ['a retry', (harness: SessionHarness) => harness.session.retry()],
    ['a new message', (harness: SessionHarness) => harness.session.send('and?')],
  ])('leaves a session that %s can continue, with the known result of each call', async (_how, goOn) => {
    await using harness = await crash();
    const before = harness.lines.length;
    harness.reopen({ tools: () => [endless] });
    harness.server.reply({ text: 'I will look first.' });
    await goOn(harness);
    const { messages } = (await harness.server.request(1)).body;
    expect(findViolations(messages)).toEqual([]);
    expect(results(messages)).toEqual(['Deployed.', interruptedResultText]);
    expect(harness.view.at(-1)).toEqual(['assistant', 'I will look first.']);
    expect(harness.lines.length).toBeGreaterThan(before);
  });

  it('writes no invented result into the transcript', async () => {
    await using harness = await crash();
    harness.reopen({ tools: () => [endless] });
    harness.server.reply({ text: 'I will look first.' });
    await harness.session.retry();
    expect(JSON.stringify(harness.lines)).not.toContain(interruptedResultText);
  });
});
