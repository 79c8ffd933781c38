import { fromAiSdk, toAiSdk, type AiSdkMessage } from '../shapes/ai-sdk-messages.ts';
import type { Peer } from '../peer.ts';

interface Mastra {
  readonly TokenLimiterProcessor: new (options: object) => {
    processLLMRequest(work: {
      readonly prompt: readonly AiSdkMessage[];
    }): Promise<{ readonly prompt: readonly AiSdkMessage[] } | undefined>;
  };
}

/** Keeps what fits, newest first. */
function limiter(trimMode: 'best-fit' | 'contiguous'): Peer {
  return {
    id: `mastra-${trimMode}`,
    title: `Mastra \`TokenLimiter\`, ${trimMode}`,
    packageName: '@mastra/core',
    settings: `limit: the target, trimMode: '${trimMode}'`,
    strength:
      'It uses nearly all of its budget, and runs on the finished prompt, after every other processor.',
    async load(importPeer) {
      const { TokenLimiterProcessor } = (await importPeer('@mastra/core/processors')) as Mastra;
      return (input) => {
        const prompt = toAiSdk(input.messages);
        return {
          async compact() {
            const processor = new TokenLimiterProcessor({ limit: input.target, trimMode });
            const result = await processor.processLLMRequest({ prompt });
            return () => fromAiSdk(result?.prompt ?? prompt);
          },
        };
      };
    },
  };
}

export const mastraBestFit = limiter('best-fit');
export const mastraContiguous = limiter('contiguous');
