import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { strategyOf, type StrategyId } from '../../../src/compaction/strategies/index.ts';
import { strategyTitle } from '../../../src/language/english/strategy-titles-english.ts';
import { compactAt } from '../../../src/measures/compare-strategies.ts';
import { installEngines, otherEngines } from '../engines/other-engines.ts';
import { stepsOf } from '../engines/steps.ts';
import { longSession } from '../long-session.ts';
import { type BenchPart, type Contender, ratioOf, timesInTurn } from '../part.ts';
import { firstTokens, realSessions } from '../real-sessions.ts';
import { benchmarkPorts, settingsOf } from '../transcript-measures.ts';

/** Window of the model in tokens. Engines that take a size compact to half of it. */
const window = 200_000;
/** Tokens of the session, or a little more. */
const sessionTokens = 500_000;

const ours: readonly StrategyId[] = ['ladder', 'anchored-summary', 'observation-masking', 'llm-summary'];

/** Compacts the same session with ours and with engines of other packages, which take turns. */
export const part: BenchPart = {
  title: 'First compaction of 500,000 tokens by ours and by other packages',
  async measure() {
    await installEngines();
    const session = await firstTokens((await realSessions()) ?? longSession(600), sessionTokens);
    const contenders: Record<string, Contender> = {};
    for (const id of ours) {
      const title = strategyTitle(id).english;
      contenders[title] = ourEngine(id, session, true);
      contenders[`${title}, nothing counted or read before`] = ourEngine(id, session, false);
    }
    const steps = stepsOf(session);
    const limits = { window, target: window / 2 };
    for (const { title, load } of otherEngines) {
      const prepared = await load();
      let compact = prepared(steps, limits);
      const left = JSON.stringify(await compact()).length;
      if (left > 0.9 * JSON.stringify(steps).length) throw new Error(`${title} left the history as it was.`);
      contenders[title] = {
        prepare: () => void (compact = prepared(steps, limits)),
        run: () => compact(),
      };
    }
    const times = await timesInTurn(contenders, { runs: 5, clock: 'processor' });
    const [[reference, ofReference] = ['', []], ...others] = Object.entries(times);
    return others.map(([name, some]) => {
      return { name: `${name} ÷ ${reference}`, ...ratioOf(some, ofReference), unit: 'times' as const };
    });
  },
};

function ourEngine(id: StrategyId, session: readonly Message[], isKnown: boolean): Contender {
  const budget = createBudget(settingsOf(window));
  const known = { tools: [], strategy: strategyOf(id), budget, requirement: 'soft' } as const;
  let view = session;
  let ports = benchmarkPorts();
  return {
    prepare: async () => {
      view = structuredClone(session);
      ports = benchmarkPorts();
      if (!isKnown) return;
      await ports.meter.measure(view);
      extractLedger(view);
    },
    run: () => compactAt({ ...known, view, target: budget.target }, ports, new AbortController().signal),
  };
}
