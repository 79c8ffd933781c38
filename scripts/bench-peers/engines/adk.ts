import { splitSystem } from '../history.ts';
import type { Peer } from '../peer.ts';
import { fromGemini, toGemini, type GeminiContent } from '../shapes/gemini.ts';

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
    'It needs no count of tokens; with a model, the same package has an anchored compactor and one that the agent itself calls.',
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
