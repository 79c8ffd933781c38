import { fromAiSdk, toAiSdk, type AiSdkMessage } from '../shapes/ai-sdk.ts';
import type { Peer } from '../peer.ts';

interface AiSdk {
  readonly pruneMessages: (options: {
    readonly messages: readonly AiSdkMessage[];
    readonly toolCalls: string;
  }) => readonly AiSdkMessage[];
}

/** Removes calls with their results, but for those in the newest messages. */
function pruning(kept: number): Peer {
  return {
    id: `ai-sdk-${kept}`,
    title: `AI SDK \`pruneMessages\`, last ${kept}`,
    packageName: 'ai',
    settings: `toolCalls: 'before-last-${kept}-messages'`,
    strength: 'It is a pure function of the messages that never leaves a call without its result.',
    async load(importPeer) {
      const { pruneMessages } = (await importPeer('ai')) as AiSdk;
      return ({ messages: input }) => {
        const messages = toAiSdk(input);
        return {
          compact() {
            const pruned = pruneMessages({ messages, toolCalls: `before-last-${kept}-messages` });
            return Promise.resolve(() => fromAiSdk(pruned));
          },
        };
      };
    },
  };
}

export const aiSdkPruning = pruning(2);
export const aiSdkWidePruning = pruning(20);

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
      'It uses nearly all of the room it is given, and runs on the finished prompt, behind every other processor.',
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
