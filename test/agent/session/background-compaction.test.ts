import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/session/session-ports.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { createMeter } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import { SessionHarness, settingsFor } from './session-harness.ts';

type End = Extract<AgentEvent, { type: 'compaction-end' }>;
const hasEnded = (event: AgentEvent): event is End => event.type === 'compaction-end';

it('takes over a background compaction that ends after the turn, without a further message', async () => {
  const settings = {
    ...settingsFor(llmSummary),
    budget: { window: 8_000, triggerRatio: 0.95, backgroundRatio: 0.5, targetRatio: 0.4 },
  };
  await using harness = await SessionHarness.start(await createMeter(), { settings: () => settings });
  let answer = () => {};
  const turnsEnded = new Promise<void>((resolve) => (answer = resolve));
  harness.server.replyWith(async ({ body }) => {
    if (!JSON.stringify(body).includes('material to take notes')) return { text: textOfTokens(900) };
    await turnsEnded;
    return { text: '<summary>what happened</summary>' };
  });
  for (const text of ['one', 'two', 'three']) await harness.session.send(`${text} ${textOfTokens(900)}`);
  expect(harness.session.activity).toBe('idle');
  expect(harness.session.compaction.outlook().isUnderWay).toBe(true);

  answer();
  const { records } = await harness.event(hasEnded);

  expect(records).toMatchObject([{ status: 'applied', trigger: { start: 'background' } }]);
  expect(harness.session.compaction.outlook().isUnderWay).toBeUndefined();
  expect(harness.view.flat().join(' ')).toContain('what happened');
});
