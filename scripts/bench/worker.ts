import { parentPort, workerData } from 'node:worker_threads';
import type { StrategyId } from '../../src/compaction/strategies/index.ts';
import { benchmarkPorts, measureTranscript } from './transcript-measures.ts';

/** Receives paths of transcripts and measures them one after the other. */
const { strategies } = workerData as { readonly strategies: readonly StrategyId[] };
const ports = benchmarkPorts();
parentPort?.on('message', ({ path, name }: { readonly path: string; readonly name: string }) => {
  void measureTranscript(path, name, strategies, ports).then((measures) => parentPort?.postMessage(measures));
});
