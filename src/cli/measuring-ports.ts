import type { CompactionPorts } from '../compaction/compact.ts';
import { createMeter } from './counting.ts';
import { chooseModel } from './model.ts';

/** What compactions that are only measured run with; a clock of fractions of a millisecond. */
export async function measuringPorts(
  model: { readonly baseUrl: string | undefined; readonly name: string | undefined },
  window: number,
): Promise<CompactionPorts> {
  const choose = await chooseModel({ replies: undefined, ...model }, window);
  let records = 0;
  return {
    meter: await createMeter('o200k_base'),
    model: (name) => choose(name),
    clock: { now: () => performance.timeOrigin + performance.now() },
    nextRecordId: () => `measured-${++records}`,
  };
}
