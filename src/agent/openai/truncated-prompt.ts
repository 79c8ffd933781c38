import type { ReportedUsage } from '../../compaction/message.ts';

/** Of the tokens that were counted, a share below which a tokeniser of another kind explains no difference. */
const largestShare = 0.5;
/** Windows of local servers are powers of two, now and then times three or five (40,960): no smaller one is in use. */
const smallestWindow = 1_024;
const largestFactor = 5;
/** Tokens that a server leaves free below the size it cuts to, and those it keeps of the beginning on top of it. */
const below = 64;
const above = 8;

/**
 * Whether a server seems to have cut the prompt without saying so, as Ollama and LM Studio do: it reports less than half
 * of what was sent, and just about the size of a window. Ollama cuts to its `num_ctx`, or, newer ones, to half of it
 * and the few tokens it keeps of the beginning (its issues 10368 and 17427: 2,048 of 2,048, 32,770 of 65,536).
 *
 * @param countedTokens the request as we count it, in tokens
 */
export function looksTruncated(countedTokens: number, reported: ReportedUsage): boolean {
  const { inputTokens } = reported;
  return inputTokens < countedTokens * largestShare && isAboutAWindow(inputTokens);
}

function isAboutAWindow(tokens: number): boolean {
  for (let factor = 1; factor <= largestFactor; factor += 2) {
    const exponent = Math.round(Math.log2(tokens / factor));
    const window = factor * 2 ** exponent;
    if (window >= smallestWindow && tokens >= window - below && tokens <= window + above) return true;
  }
  return false;
}
