import { createBudget } from '../../../src/compaction/budget/budget.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { strategyOf, type StrategyId } from '../../../src/compaction/strategies/index.ts';
import type { Usage } from '../../../src/compaction/tokens/usage.ts';
import { strategyTitle } from '../../../src/language/english/strategy-titles-english.ts';
import { compactAt } from '../../../src/measures/compare-strategies.ts';
import { longSession } from '../long-session.ts';
import { type BenchPart, type Contender, type Measure, middleOf, ratioOf, timesInTurn } from '../part.ts';
import { firstTokens, realSessions } from '../real-sessions.ts';
import { benchmarkPorts, settingsOf } from '../transcript-measures.ts';

/** Names of the measured sizes, with their tokens. The growth is that from the first to the last. */
const sizes = { '100k': 100_000, '500k': 500_000, '2M': 2_000_000 } as const;
/** The size at which a session is also compacted for a second time, and its share of messages that are then new. */
const laterSize = '500k';
const newShare = 0.1;
const mostGrowth = 1.1;
/** Repetitions of `JSON.stringify` in a run, because one may take less than a millisecond. */
const repetitions = 10;
const generatedMessages = 2_500;

/** Strategies with the highest times that a first compaction may take, as multiples of `JSON.stringify`. */
const strategies = {
  ladder: 1,
  'anchored-summary': 2,
  budgeted: 2,
  'layered-truncation': 2,
  'middle-truncation': 2,
  'dialogue-retrieval': 5,
} as const satisfies Partial<Record<StrategyId, number>>;
type Measured = keyof typeof strategies;
const ids = Object.keys(strategies) as Measured[];
/** Strategies that change a session only for a hard target. */
const hasToReach: ReadonlySet<Measured> = new Set(['middle-truncation']);

/**
 * Compacts sessions of growing size to half. Only the tokens of their messages are known before. Compares the
 * processor time with that of `JSON.stringify` for one message after the other: for a whole list it takes four times as
 * long, because it moves its growing result again and again.
 */
export const part: BenchPart = {
  title: 'First compactions of up to two million tokens',
  async measure() {
    const real = await realSessions();
    return [
      ...(real === undefined ? [] : await compactions('real sessions', real)),
      ...(await compactions('generated', longSession(generatedMessages))),
    ];
  },
};

async function compactions(label: string, source: readonly Message[]): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  const points = new Map<Measured, { readonly tokens: number; readonly time: number }[]>();
  for (const [size, least] of Object.entries(sizes)) {
    const session = new Session(await firstTokens(lengthened(source), least));
    const contenders: Record<string, Contender> = { stringify: session.stringify() };
    for (const id of ids) {
      contenders[`${id}, first`] = await session.first(id);
      if (size === laterSize) contenders[`${id}, later`] = session.later(id);
    }
    const times = await timesInTurn(contenders, { runs: 5, warmups: 1, clock: 'processor' });
    const strings = [middleOf(times['stringify'] ?? []).value / repetitions];
    for (const id of ids) {
      const row = (column: string) => `${strategyTitle(id).english}, ${label}: ${column}`;
      const first = times[`${id}, first`] ?? [];
      const later = times[`${id}, later`];
      points.set(id, [
        ...(points.get(id) ?? []),
        { tokens: await session.tokens, time: middleOf(first).value },
      ]);
      measures.push({
        name: row(`${size}, first`),
        ...ratioOf(first, strings),
        unit: 'times',
        target: { atMost: strategies[id] },
      });
      if (later !== undefined)
        measures.push({ name: row(`${size}, later`), ...ratioOf(later, strings), unit: 'times' });
    }
  }
  for (const [id, known] of points) {
    const [one, other] = [known[0]!, known.at(-1)!];
    const value = Math.log(other.time / one.time) / Math.log(other.tokens / one.tokens);
    const name = `${strategyTitle(id).english}, ${label}: growth`;
    measures.push({ name, value, unit: 'exponent', target: { atMost: mostGrowth } });
  }
  return measures;
}

/** Messages that are compacted as often as needed, each time as objects that nothing is known about but their tokens. */
class Session {
  private readonly messages: readonly Message[];
  private readonly ports = benchmarkPorts();
  private readonly usages: Promise<readonly Usage[]>;

  constructor(messages: readonly Message[]) {
    this.messages = messages;
    this.usages = this.ports.meter.measureEach(messages);
  }

  get tokens(): Promise<number> {
    return this.usages.then((usages) => usages.reduce((sum, { total }) => sum + total, 0));
  }

  stringify(): Contender {
    return {
      prepare: () => globalThis.gc?.(),
      run: () => {
        for (let time = 0; time < repetitions; time++) {
          for (const message of this.messages) JSON.stringify(message);
        }
      },
    };
  }

  /** @throws if the strategy changes nothing, because its time would be meaningless */
  async first(id: Measured): Promise<Contender> {
    const { record } = await this.compact(id, await this.fresh());
    if (record.status !== 'applied') throw new Error(`${id} was not applied: it was ${record.status}.`);
    let view = this.messages;
    return {
      prepare: async () => {
        view = await this.fresh();
        globalThis.gc?.();
      },
      run: () => this.compact(id, view),
    };
  }

  /** A compaction of a view with new messages. The session without them was compacted before. */
  later(id: Measured): Contender {
    let history = this.messages;
    let view = history;
    return {
      prepare: async () => {
        history = await this.fresh();
        const known = Math.floor(history.length * (1 - newShare));
        const before = await this.compact(id, history.slice(0, known));
        view = [...before.view, ...history.slice(known)];
        globalThis.gc?.();
      },
      run: () => this.compact(id, view, history),
    };
  }

  private async fresh(): Promise<readonly Message[]> {
    const copies = structuredClone(this.messages);
    const usages = await this.usages;
    for (const [index, copy] of copies.entries()) this.ports.meter.learn(copy, usages[index]!);
    return copies;
  }

  private async compact(id: Measured, view: readonly Message[], history = view) {
    const budget = createBudget(settingsOf(await this.tokens));
    const requirement = hasToReach.has(id) ? 'hard' : 'soft';
    const strategy = strategyOf(id);
    const run = { view, history, tools: [], strategy, budget, requirement, target: budget.target } as const;
    return compactAt(run, this.ports, new AbortController().signal);
  }
}

/** Repeats a session with other ids and texts, so that a size is reached that it does not have. */
function* lengthened(source: readonly Message[]): Generator<Message> {
  yield* source;
  for (let round = 2; ; round++) {
    const own = (id: string) => `${id}-${round}`;
    for (const { id, tool_call_id: answers, tool_calls: calls, content, ...message } of source) {
      yield {
        ...message,
        id: own(id),
        content: typeof content === 'string' ? `${content}\n${round}` : content,
        ...(answers !== undefined && { tool_call_id: own(answers) }),
        ...(calls !== undefined && { tool_calls: calls.map((call) => ({ ...call, id: own(call.id) })) }),
      };
    }
  }
}
