import type { GovernedPorts } from '../../agent/governed/governed-conversation.ts';
import { GovernedHistories } from '../../agent/governed/governed-histories.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import type { EngineClient } from '../../presenters/engine/engine-client.ts';
import { SessionEngine } from '../../presenters/engine/session-engine.ts';
import type { SessionStore } from '../../presenters/storage/session-store.ts';

interface GovernedChatPorts {
  readonly sessionPorts: Omit<GovernedPorts, 'open' | 'warn'>;
  readonly store: SessionStore;
  readonly engine: EngineClient;
  readonly log: { warn(line: string): void };
}

/** Creates the conversations of VS Code's own chat, which are stored with the chats. */
export function governedChats({ sessionPorts, store, engine, log }: GovernedChatPorts): GovernedHistories {
  const { models, settings, customStrategy, folder, now } = sessionPorts;
  return new GovernedHistories({
    ...{ models, settings, now },
    ...(customStrategy === undefined ? {} : { customStrategy }),
    ...(folder === undefined ? {} : { folder }),
    get meter() {
      return sessionPorts.meter;
    },
    open: () => {
      const { id, file } = store.create(now());
      const own = new SessionEngine(engine, id);
      return {
        id,
        log: (event) => file.append(event),
        elsewhere: (work) => own.compact(work),
        close: () => file.close(),
      };
    },
    warn: (error) => log.warn(messageOf(error)),
  });
}
