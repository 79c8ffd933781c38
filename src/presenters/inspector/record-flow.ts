import { type Kind, kinds } from '../../compaction/messages/message.ts';
import type { DiffRow, RowFate } from '../../compaction/records/compaction-diff.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { FlowView, KindFlow } from '../../protocol/inspector-compactions.ts';

/** The way that the tokens of a message go with each fate. */
const wayOf: Readonly<Record<RowFate, keyof KindFlow>> = {
  keep: 'kept',
  restore: 'kept',
  insert: 'kept',
  hide: 'shortened',
  clip: 'shortened',
  offload: 'shortened',
  summarise: 'summarised',
  drop: 'gone',
};

/**
 * Adds up where the tokens of each kind went. Tool definitions are in no message; they stay.
 *
 * @param toolTokens tokens of the tool definitions
 */
export async function flowOf(
  rows: readonly DiffRow[],
  meter: Pick<UsageMeter, 'measureEach'>,
  toolTokens: number,
): Promise<FlowView> {
  const flows = new Map<Kind, Record<keyof KindFlow, number>>();
  const add = (kind: Kind, way: keyof KindFlow, tokens: number) => {
    const flow = flows.get(kind) ?? { kept: 0, shortened: 0, summarised: 0, gone: 0 };
    flow[way] += tokens;
    flows.set(kind, flow);
  };
  const after = { shortened: 0, summarised: 0, added: 0 };
  if (toolTokens > 0) add('tools', 'kept', toolTokens);
  // One call for all messages, because the counter may be on another thread.
  const usages = await meter.measureEach(rows.flatMap(({ sources }) => sources));
  let next = 0;
  for (const { action, sources } of rows) {
    const way = wayOf[action.kind];
    for (const usage of usages.slice(next, (next += sources.length)))
      for (const kind of kinds) if (usage.byKind[kind] > 0) add(kind, way, usage.byKind[kind]);
    if (action.kind === 'insert') after.added += action.tokensAfter;
    else if (way === 'shortened' || way === 'summarised') after[way] += action.tokensAfter;
  }
  return { kinds: Object.fromEntries(flows), after };
}
