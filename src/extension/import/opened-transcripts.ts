import { createHash } from 'node:crypto';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { InspectorModel } from '../inspector/inspector-model.ts';
import type { ShownSession } from '../inspector/shown-session.ts';
import type { ShardChoice } from '../protocol/inspector.ts';
import type { OpenedTranscript } from './open-transcript.ts';

/** Sessions of other agents that were opened to be looked at, until the window is closed. */
export class OpenedTranscripts {
  private readonly meterOf: () => UsageMeter;
  private readonly opened = new Map<string, ShownSession>();

  constructor(meterOf: () => UsageMeter) {
    this.meterOf = meterOf;
  }

  /** @returns the id by which it is found; the same for the same file */
  add({ path, session }: OpenedTranscript): string {
    const id = `file-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
    this.opened.set(id, { id, session, inspector: new InspectorModel(session, this.meterOf) });
    return id;
  }

  find(id: string | undefined): ShownSession | undefined {
    return id === undefined ? undefined : this.opened.get(id);
  }

  /** For the picker, in the order in which they were opened. */
  choices(): Promise<readonly ShardChoice[]> {
    return Promise.all(
      [...this.opened.values()].map(async ({ id, session }): Promise<ShardChoice> => {
        const { total } = await session.compaction.usage();
        return { sessionId: id, name: session.title, state: 'done', tokens: total };
      }),
    );
  }
}
