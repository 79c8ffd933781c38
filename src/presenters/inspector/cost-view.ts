import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { messagesOf, recordsOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import { moneyOf } from '../../insights/session-cost.ts';
import type { CostView } from '../../protocol/inspector.ts';

type Spent = Pick<Transcript, 'entries'>;

/** The cost of a chat so far; undefined if no cost is known. @param model model of calls that name none */
export function costView(
  chat: Spent,
  subAgents: readonly Spent[],
  model: string | undefined,
  factsOf: (model: string) => ModelFacts,
): CostView | undefined {
  const moneyOfOne = (transcript: Spent) =>
    moneyOf(callsOf(transcript), recordsOf(transcript), model, factsOf);
  const own = moneyOfOne(chat);
  const others = subAgents.map(moneyOfOne);
  const expenses = [own, ...others].flatMap(({ calls, summaries }) => [...calls, ...summaries]);
  if (expenses.every(({ money }) => money === undefined)) return undefined;
  const requests = dollars(own.calls);
  const summaries = dollars(own.summaries);
  const ofSubAgents = others.reduce((sum, { known }) => sum + known.total, 0);
  return {
    total: requests + summaries + ofSubAgents,
    requests,
    summaries,
    subAgents: ofSubAgents,
    isAtLeast: [own, ...others].some(({ unknown, mayBeMore }) => unknown > 0 || mayBeMore),
  };
}

function callsOf(transcript: Spent) {
  return messagesOf(transcript).flatMap(({ role, id, usage, modelId }) =>
    role === 'assistant'
      ? [
          {
            messageId: id,
            ...(usage === undefined ? {} : { reported: usage }),
            ...(modelId === undefined ? {} : { modelId }),
          },
        ]
      : [],
  );
}

function dollars(expenses: ReturnType<typeof moneyOf>['calls']): number {
  return expenses.reduce((sum, { money }) => sum + (money?.total ?? 0), 0);
}
