import { chatReplayFormat } from './formats/copilot/chat-replay-format.ts';
import { litellmFormat, tauBenchFormat } from './formats/chat-log-formats.ts';
import { openaiFormat } from './formats/openai-format.ts';
import { sweAgentFormat } from './formats/swe-agent-format.ts';
import { agentFormats } from './import-transcript.ts';
import type { TranscriptFormat } from './reading/transcript-format.ts';

/**
 * The formats of agents, and logs of benchmarks and of debugging, which only the command line and the library read.
 * The last format takes JSON that no other format recognises.
 */
export const allFormats: readonly TranscriptFormat[] = [
  ...agentFormats.filter((format) => format !== openaiFormat),
  litellmFormat,
  chatReplayFormat,
  sweAgentFormat,
  tauBenchFormat,
  openaiFormat,
];

export const formatIds: readonly string[] = allFormats.map((format) => format.id);

/** Ids that formats had in earlier versions, which are still understood. */
export const formerFormatIds: readonly string[] = allFormats.flatMap(({ formerId }) => formerId ?? []);
