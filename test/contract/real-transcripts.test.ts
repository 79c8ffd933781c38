import { beforeAll, describe, expect, it } from 'vitest';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { strategyIds, strategyOf } from '../../src/compaction/strategies/index.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { createMeter } from '../support/engine.ts';
import { soak } from '../support/soak.ts';
import { readTranscriptText, realSessions, sampleSession } from '../support/transcripts.ts';
import { holdToContract } from './contract.ts';

const meter = await createMeter();

/** Characters of a session that no window of 128,000 tokens holds: four to a token. */
const longText = 4 * 128_000;

/** Windows for a session, and whether an overflow is tried at them, too. */
function attemptsFor(name: string): readonly { readonly window: number; readonly hard: boolean }[] {
  // The view of the sample takes 7,000 tokens.
  if (name === sampleSession) return [3_000, 6_000].map((window) => ({ window, hard: true }));
  if (soak(0, 1) === 1) return [32_000, 64_000, 128_000].map((window) => ({ window, hard: true }));
  // If a session fits into the larger window, few strategies have anything to do there.
  const isLong = readTranscriptText(name).length > longText;
  return [{ window: 32_000, hard: true }, ...(isLong ? [{ window: 128_000, hard: false }] : [])];
}

/** The contract over real sessions, at each window, with a soft requirement and after an overflow. */
describe('the contract for real sessions', () => {
  it('is tested with sessions that contain messages', () => {
    const sizes = realSessions.map(
      (name) => importTranscript(readTranscriptText(name)).transcript.view.length,
    );
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  describe.each(realSessions)('in %s', (name) => {
    const attempts = attemptsFor(name);
    let view: readonly Message[];
    // Read once for all strategies, so that the meter counts it once. The contract fails if one of them
    // changes it.
    beforeAll(() => {
      view = importTranscript(readTranscriptText(name)).transcript.view;
    });

    it.each(strategyIds)('is fulfilled by %s', async (id) => {
      for (const { window, hard } of attempts) {
        const run = { view, strategy: strategyOf(id), model: new OfflineModel({ window }), window };
        const soft = await holdToContract(run, meter);
        // Without a module of the user, `custom` only reports that, and folds.
        expect(soft.status).toMatch(id === 'custom' ? /applied|failed/ : /applied|unchanged|refused/);
        if (!hard) continue;
        const target = Math.floor(window * 0.85);
        await holdToContract({ ...run, requirement: 'hard', target }, meter);
      }
    });
  });
});
