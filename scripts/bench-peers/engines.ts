import type { StrategyId } from '../../src/compaction/strategies/index.ts';
import { aiSdkPruning, aiSdkWidePruning } from './engines/ai-sdk.ts';
import { clineBasic } from './engines/cline.ts';
import { adkTruncating, geminiMasking } from './engines/google.ts';
import { deepAgents, langChainClearing, langChainTrimming } from './engines/langchain.ts';
import { mastraBestFit, mastraContiguous } from './engines/mastra.ts';
import { strandsWindow } from './engines/strands.ts';
import type { Peer } from './peer.ts';

/** One of our strategies, measured next to the peers. */
export interface OurEngine {
  readonly id: string;
  readonly title: string;
  readonly strategy: StrategyId;
  readonly settings: string;
  /** The tokens of the messages are not known yet and are counted while it runs. */
  readonly isUncounted?: boolean;
}

const half = 'target half the window, default options';

/** Our strategies. Those with a model have the offline summariser. */
export const ourEngines: readonly OurEngine[] = [
  { id: 'ladder', title: 'Ladder', strategy: 'ladder', settings: half },
  {
    id: 'ladder-uncounted',
    title: 'Ladder, nothing counted before',
    strategy: 'ladder',
    settings: `${half}; counts the tokens of all messages first`,
    isUncounted: true,
  },
  { id: 'anchored-summary', title: 'Anchored Summary', strategy: 'anchored-summary', settings: half },
  {
    id: 'observation-masking',
    title: 'Observation Masking',
    strategy: 'observation-masking',
    settings: half,
  },
  { id: 'llm-summary', title: 'LLM Summary', strategy: 'llm-summary', settings: half },
];

/** The peers, in the order of their rows. */
export const peers: readonly Peer[] = [
  langChainClearing,
  langChainTrimming,
  deepAgents,
  aiSdkPruning,
  aiSdkWidePruning,
  mastraBestFit,
  mastraContiguous,
  clineBasic,
  adkTruncating,
  geminiMasking,
  strandsWindow,
];
