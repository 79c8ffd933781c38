import { splitSystem } from '../history.ts';
import { outputsFolder } from '../packages.ts';
import type { Peer } from '../peer.ts';
import { fromGemini, toGemini, type GeminiContent } from '../shapes/gemini-contents.ts';

interface Adk {
  readonly TruncatingContextCompactor: new (options: {
    readonly threshold: number;
    readonly preserveLeadingEvents: number;
  }) => { compact(context: { readonly session: { readonly events: { content: GeminiContent }[] } }): void };
}

/** Drops the oldest events. */
export const adkTruncating: Peer = {
  id: 'adk-truncating',
  title: 'ADK `TruncatingContextCompactor`',
  packageName: '@google/adk',
  settings: 'threshold: 40 events, preserveLeadingEvents: 1',
  strength:
    'It needs no token count; for use with a model, the same package has an anchored compactor and one that the agent itself calls.',
  async load(importPeer) {
    const { TruncatingContextCompactor } = (await importPeer('@google/adk')) as Adk;
    return ({ messages }) => {
      const { system, rest } = splitSystem(messages);
      const events = toGemini(rest).map((content, index) => ({
        id: `event-${index}`,
        author: content.role === 'model' ? 'agent' : 'user',
        timestamp: index,
        content,
      }));
      return {
        compact() {
          const compactor = new TruncatingContextCompactor({ threshold: 40, preserveLeadingEvents: 1 });
          compactor.compact({ session: { events } });
          return Promise.resolve(() => [...system, ...fromGemini(events.map(({ content }) => content))]);
        },
      };
    };
  },
};

interface GeminiCli {
  readonly ToolOutputMaskingService: new () => {
    mask(
      history: readonly GeminiContent[],
      config: object,
    ): Promise<{ readonly newHistory: readonly GeminiContent[] }>;
  };
}

/** Moves old tool output into files and leaves head and tail of it. */
export const geminiMasking: Peer = {
  id: 'gemini-masking',
  title: 'Gemini CLI `ToolOutputMaskingService`',
  packageName: '@google/gemini-cli-core',
  settings:
    'protects the newest tool output up to half of the target, no minimum (its own 50k and 30k are made for a window of a million)',
  strength:
    'Removed output is kept in files that the agent can read with its tools, and results of its own shell keep error and exit code in full.',
  async load(importPeer) {
    const { ToolOutputMaskingService } = (await importPeer(
      '@google/gemini-cli-core/dist/src/context/toolOutputMaskingService.js',
    )) as GeminiCli;
    return ({ messages, target }) => {
      const { system, rest } = splitSystem(messages);
      const history = toGemini(rest);
      const config = {
        getToolOutputMaskingConfig: () =>
          Promise.resolve({
            protectionThresholdTokens: target / 2,
            minPrunableThresholdTokens: 1,
            protectLatestTurn: true,
          }),
        storage: { getProjectTempDir: () => outputsFolder },
        getSessionId: () => '',
        // It would report to its makers otherwise.
        getUsageStatisticsEnabled: () => false,
        getTelemetryEnabled: () => false,
      };
      return {
        async compact() {
          const { newHistory } = await new ToolOutputMaskingService().mask(history, config);
          return () => [...system, ...fromGemini(newHistory)];
        },
      };
    };
  },
};
