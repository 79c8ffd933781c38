import { CompactionService } from '../compaction/service.ts';
import type { CompactionEvent } from '../compaction/service-ports.ts';
import type { Journal } from './journal.ts';
import type { Models, SessionPorts } from './session-ports.ts';

/**
 * The compactions of a session.
 *
 * @param models those of the newest turn
 */
export function createSessionCompaction(
  journal: Journal,
  ports: SessionPorts,
  models: () => Models | undefined,
  tell: (event: CompactionEvent) => void,
): CompactionService {
  return new CompactionService(
    journal,
    {
      // Another model may have another vocabulary.
      get meter() {
        return ports.meter;
      },
      model: (name) =>
        name === undefined ? (models()?.compaction ?? models()?.chat) : models()?.named(name),
      ...(ports.outside === undefined ? {} : { outside: ports.outside }),
      clock: { now: ports.now },
      nextRecordId: () => journal.nextRecordId(),
    },
    ports.settings,
    tell,
  );
}
