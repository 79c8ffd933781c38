import { fromAiSdk, toAiSdk, type AiSdkMessage } from '../shapes/ai-sdk-messages.ts';
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
