import { textOf } from '../../../src/compaction/messages/message.ts';
import { splitSystem } from '../history.ts';
import type { Peer } from '../peer.ts';
import { fromBlocks, toBlocks, type BlockMessage } from '../shapes/block-messages.ts';

interface Cline {
  readonly createContextCompactionPrepareTurn: (
    config: object,
    options: object,
  ) => ((turn: object) => Promise<{ readonly messages: readonly BlockMessage[] } | undefined>) | undefined;
}

/** Folds the history without a model: every prompt stays, old work becomes notes after the prompts. */
export const clineBasic: Peer = {
  id: 'cline-basic',
  title: 'Cline core, `basic`',
  packageName: '@cline/core',
  settings: 'started by hand, down to the target',
  strength:
    "Every prompt stays in place, and so does the last answer of older turns if it fits. Its notes on dropped work are made for Cline's own tools, which these sessions do not use.",
  async load(importPeer) {
    const { createContextCompactionPrepareTurn } = (await importPeer('@cline/core')) as Cline;
    return ({ messages: input, window, target }) => {
      const { system, rest } = splitSystem(input);
      const systemPrompt = system.map(({ content }) => textOf(content)).join('\n\n');
      const messages = toBlocks(rest);
      const info = { id: 'stub', contextWindow: window, maxInputTokens: window };
      const model = { id: 'stub', provider: 'anthropic', info };
      return {
        async compact() {
          const prepareTurn = createContextCompactionPrepareTurn(
            {
              providerId: 'anthropic',
              modelId: 'stub',
              providerConfig: { providerId: 'anthropic', modelId: 'stub', knownModels: { stub: info } },
              compaction: { enabled: true, strategy: 'basic' },
            },
            { mode: 'manual', manualTargetRatio: target / window },
          );
          const result = await prepareTurn?.({
            agentId: 'bench',
            conversationId: 'bench',
            parentAgentId: null,
            iteration: 1,
            messages,
            apiMessages: messages,
            abortSignal: new AbortController().signal,
            systemPrompt,
            tools: [],
            model,
          });
          return () => [...system, ...fromBlocks(result?.messages ?? messages)];
        },
      };
    };
  },
};
