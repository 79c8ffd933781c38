import { isRecord } from '../../src/language/is-record.ts';
import type { BenchPart } from './part.ts';

/** The process of one part. It measures the part and sends the measures to `scripts/bench.ts`. */
const [id = ''] = process.argv.slice(2);
const loaded: unknown = await import(`./parts/${id}.ts`);
if (!isRecord(loaded) || !isRecord(loaded['part']))
  throw new Error(`scripts/bench/parts/${id}.ts has no part.`);
const part = loaded['part'] as unknown as BenchPart;
process.send?.({ title: part.title, measures: await part.measure() });
process.disconnect();
