import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hideSelection } from '../../../src/compaction/manual-edits/hide.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, textOfTokens } from '../../support/messages.ts';
import { loadCompactions, never, ServiceHarness } from './service-harness.ts';

const meter = await createMeter();

/** The harness compacts at 7,500 of 10,000 tokens, and keeps 1,500 free for the reply. */
describe('after the user undid a compaction', () => {
  let harness: ServiceHarness;
  const check = () => harness.answering(harness.service.check(never));

  beforeAll(() => loadCompactions(meter));

  /** A chat over the trigger, whose automatic compaction was undone. */
  beforeEach(async () => {
    harness = new ServiceHarness(meter);
    harness.fill(4_000);
    harness.fill(3_600);
    await check();
    await harness.service.undo('c1');
    expect(harness.records).toHaveLength(1);
  });

  it('no message makes it compact again at once', async () => {
    harness.fill(100);
    await check();
    expect(harness.records).toHaveLength(1);
    expect(harness.told.filter((told) => told.includes('start'))).toHaveLength(1);
  });

  it('nothing starts early or for the agent', async () => {
    harness.choose(ladder, { early: true });
    await check();
    await harness.service.compactForAgent(undefined, never);
    harness.settings = { ...harness.settings, afterPlanStep: true };
    await harness.service.compactAfterStep(never);
    expect(harness.records).toHaveLength(1);
  });

  it('it compacts again when the window has no room for a reply', async () => {
    harness.fill(1_000);
    await check();
    expect(harness.records).toHaveLength(2);
  });

  it('the forecast says that it is paused, and until which size', () => {
    expect(harness.service.outlook()).toEqual({ isPaused: true, trigger: 8_501 });
  });

  it('the pause ends when the user compacts', async () => {
    await harness.answering(harness.service.compactNow({}, never));
    expect(harness.service.isPaused).toBe(false);
    harness.fill(7_600);
    await check();
    expect(harness.records.length).toBeGreaterThan(2);
  });

  it('the pause survives messages that the user hides, and their return', async () => {
    harness.host.say(called('call', ['k', 'read', {}]), result('output', 'k', textOfTokens(50)));
    const hidden = await harness.service.compactNow(
      { strategy: hideSelection({ messages: ['call', 'output'] }) },
      never,
    );
    expect(hidden.status).toBe('applied');
    expect(harness.service.isPaused).toBe(true);
    await harness.service.undo(hidden.id);
    expect(harness.service.isPaused).toBe(true);
  });

  it('a request that the provider refuses is still made smaller', async () => {
    const recovered = harness.service.recoverFromOverflow({ limit: undefined, actual: undefined }, never);
    expect(await harness.answering(recovered)).toBe(true);
  });

  it('hidden messages alone that come back start no pause', async () => {
    harness = new ServiceHarness(meter);
    harness.choose(toolResultHiding);
    harness.host.say(called('call', ['k', 'read', {}]), result('output', 'k', textOfTokens(500)));
    harness.fill(100);
    const hidden = await harness.service.compactNow(
      { strategy: hideSelection({ messages: ['call', 'output'] }) },
      never,
    );
    await harness.service.undo(hidden.id);
    expect(harness.service.isPaused).toBe(false);
  });
});
