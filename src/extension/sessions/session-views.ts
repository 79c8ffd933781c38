import { ChatFeed } from '../../presenters/chat/chat-feed.ts';
import { InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { ChatChange } from '../../protocol/chat.ts';
import type { SessionHub } from './session-hub.ts';
import type { ActiveSession, SessionView, ViewOf } from './active-session.ts';
import type { Wording } from '../../language/wording.ts';

/** The chat's and the inspector's views of a session. */
export interface SessionViews extends SessionView {
  readonly feed: ChatFeed;
  readonly inspector: InspectorModel;
}

/** The sessions of this window, with what is shown of them. */
export type ChatHub = SessionHub<SessionViews>;
export type ShownChat = ActiveSession<SessionViews>;

export interface SessionViewPorts {
  readonly meterOf: () => UsageMeter;
  /** The chat of a session changed, whether or not it is the active one. */
  readonly changed: (id: string, changes: readonly ChatChange[]) => void;
  readonly failed: (message: string) => void;
  readonly wording: Wording;
}

/** Makes the views of each session that is opened. */
export function sessionViews({ meterOf, changed, failed, wording }: SessionViewPorts): ViewOf<SessionViews> {
  return (id, session, isElsewhere) => {
    const listener = { changed: (changes: readonly ChatChange[]) => changed(id, changes), failed };
    const feed = new ChatFeed(session, meterOf, listener, { isElsewhere, wording });
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
