import { ChatFeed } from '../../presenters/chat/chat-feed.ts';
import { InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { ChatChange } from '../../protocol/chat.ts';
import type { ViewOf } from './active-session.ts';
import type { Wording } from '../../language/wording.ts';

interface SessionViewPorts {
  readonly meterOf: () => UsageMeter;
  /** The chat of a session changed, whether or not it is the active one. */
  readonly changed: (id: string, changes: readonly ChatChange[]) => void;
  readonly failed: (message: string) => void;
  readonly wording: Wording;
}

/** Makes the views of each session that is opened. */
export function sessionViews({ meterOf, changed, failed, wording }: SessionViewPorts): ViewOf {
  return (id, session, isElsewhere) => {
    const feed = new ChatFeed(session, {
      meterOf,
      wording,
      changed: (changes) => changed(id, changes),
      failed,
      isElsewhere,
    });
    const inspector = new InspectorModel({ id, session, meterOf, wording });
    return {
      feed,
      inspector,
      handle: (event) => feed.handle(event),
      refresh: () => feed.refreshMeter(),
      prove: async () => {
        await feed.ready;
        await feed.meter();
        await inspector.state({ chatId: id, otherSessions: [], model: '', strategy: '' });
      },
    };
  };
}
