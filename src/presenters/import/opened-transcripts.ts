import { createHash } from 'node:crypto';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { InspectorModel, type ShownSession } from '../inspector/inspector-model.ts';
import type { SessionChoice } from '../../protocol/inspector.ts';
import type {
  OpenedTranscript,
  ReadableConversation,
  ReadOnlyPorts,
  ReadOnlySession,
} from './read-only-session.ts';
import { titleOfTexts } from '../../transcripts/typed-title.ts';

/** A conversation other than the one in force, read when it is first to be shown. */
interface Unread {
  readonly other: ReadableConversation;
  readonly name: string;
  shown: Promise<ShownSession> | undefined;
}

interface Opened {
  readonly main: ShownSession;
  readonly others: ReadonlyMap<string, Unread>;
}

/** Sessions of other agents that were opened for reading, until the window is closed. */
export class OpenedTranscripts {
  private readonly ports: ReadOnlyPorts;
  private readonly opened = new Map<string, Opened>();

  constructor(ports: ReadOnlyPorts) {
    this.ports = ports;
  }

  /** @returns the id by which it is found; the same for the same file */
  add({ path, session }: OpenedTranscript): string {
    const id = `file-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
    const others = session.others.map((other, index): [string, Unread] => {
      const name = titleOfTexts([other.opening ?? '']) ?? other.id;
      return [`${id}.${index + 1}`, { other, name, shown: undefined }];
    });
    this.opened.set(id, { main: this.shownAs(id, session), others: new Map(others) });
    return id;
  }

  /**
   * @param id of an opened file, or of a conversation in it
   * @throws {ImportError} if a conversation holds no messages
   */
  async find(id: string | undefined): Promise<ShownSession | undefined> {
    if (id === undefined) return undefined;
    const { main, others } = this.opened.get(id) ?? this.opened.get(id.split('.', 1)[0] ?? '') ?? {};
    if (main === undefined || main.id === id) return main;
    const unread = others?.get(id);
    if (unread === undefined) return undefined;
    unread.shown ??= this.read(id, unread);
    return unread.shown;
  }

  /** For the picker, in the order in which they were opened, each file followed by its other conversations. */
  async choices(): Promise<readonly SessionChoice[]> {
    const choices = [...this.opened.values()].map(async ({ main, others }): Promise<SessionChoice[]> => {
      const below = [...others].map(async ([sessionId, { other, name, shown }]): Promise<SessionChoice> => {
        const session = await shown?.catch(() => undefined);
        const tokens = session === undefined ? undefined : await tokensOf(session);
        return { sessionId, name, kind: other.kind, state: 'done', tokens };
      });
      const { title } = main.session;
      const own: SessionChoice = {
        sessionId: main.id,
        name: title,
        state: 'done',
        tokens: await tokensOf(main),
      };
      return [own, ...(await Promise.all(below))];
    });
    return (await Promise.all(choices)).flat();
  }

  private async read(id: string, { other, name }: Unread): Promise<ShownSession> {
    const { readOtherConversation } = await import('./read-only-session.ts');
    const { signal } = new AbortController();
    return this.shownAs(id, await readOtherConversation(other, name, this.ports, signal));
  }

  private shownAs(id: string, session: ReadOnlySession): ShownSession {
    const meterOf = (): UsageMeter => this.ports.meterOf();
    return { id, session, inspector: new InspectorModel(session, meterOf) };
  }
}

async function tokensOf({ session }: ShownSession): Promise<number> {
  const { total } = await session.compaction.usage();
  return total;
}
