import { createHash } from 'node:crypto';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { InspectorModel, type ShownSession } from '../inspector/inspector-model.ts';
import type { SessionChoice } from '../../protocol/inspector.ts';
import type { ReadableConversation, ReadOnlySession } from '../import/read-only-session.ts';
import type { ReadingPorts } from './session-reader.ts';
import { titleOfTexts } from '../../transcripts/typed-title.ts';

/** A conversation other than the one in force, read when it is first to be shown. */
interface Unread {
  readonly other: ReadableConversation;
  readonly name: string;
  shown: Promise<ShownSession> | undefined;
}

interface Opened {
  readonly path: string;
  readonly followed: FollowedSession;
  /** Conversations of sub-agents in files of their own. */
  readonly subAgents: readonly ReadableConversation[];
  /** Numbers of other conversations by their ids in the file, so that one goes by the same id whatever comes later. */
  readonly numbers: Map<string, number>;
  /** Number of conversations that the file has held and does not hold any more. */
  replaced: number;
  main: ShownSession;
  others: ReadonlyMap<string, Unread>;
}

/** Difference between two states of a session that is followed. */
export interface LiveChange {
  /** Position of the first message that is not as it was; the number of messages before if some were only added. */
  readonly changedFrom: number;
  /** It holds another conversation now, or a shorter one. */
  readonly isOther: boolean;
  /** Compactions that its agent has made since, oldest first. */
  readonly compactions: readonly CompactionRecord[];
}

/** A session that was opened, whether its file goes on changing or not. */
export interface FollowedSession {
  /** Another object once more than its end is different. */
  readonly session: ReadOnlySession;
  /** Tells of every change. */
  follow(listener: (change: LiveChange) => void): void;
  /** Stays as it is from now on. */
  dispose(): void;
}

/** A session that was opened, and the file it is in. */
export interface OpenedTranscript {
  readonly path: string;
  readonly followed: FollowedSession;
  readonly subAgents: readonly ReadableConversation[];
}

/** A change of an opened session. */
export interface OpenedChange extends LiveChange {
  readonly path: string;
  /** As it is now. */
  readonly shown: ShownSession;
}

export type OpenedPorts = Omit<ReadingPorts, 'readerOf'>;

/** Sessions that are followed at the same time; those opened before them stay as they are. */
const mostFollowed = 8;

/** Sessions of other agents that were opened for reading, until the window is closed. They follow their files. */
export class OpenedTranscripts {
  private readonly ports: OpenedPorts;
  private readonly opened = new Map<string, Opened>();
  private readonly listeners = new Set<(change: OpenedChange) => void>();

  constructor(ports: OpenedPorts) {
    this.ports = ports;
  }

  /** Calls a function whenever an opened session has changed with its file. */
  onDidChange(listener: (change: OpenedChange) => void): void {
    this.listeners.add(listener);
  }

  /** The id by which the session of a file is found that is open and followed. */
  idOf(path: string): string | undefined {
    const followed = [...this.opened.values()].slice(-mostFollowed);
    return followed.find((one) => one.path === path)?.main.id;
  }

  /** @returns the id by which it is found; the same for the same file */
  add({ path, followed, subAgents }: OpenedTranscript): string {
    const id = transcriptId(path);
    const before = this.opened.get(id);
    before?.followed.dispose();
    // What was opened last is the last to be let go.
    this.opened.delete(id);
    const replaced = before === undefined ? 0 : before.replaced + 1;
    const main = this.shownAs(idOf(id, replaced), followed.session);
    const numbers = new Map<string, number>();
    const opened: Opened = { path, followed, subAgents, numbers, replaced, main, others: new Map() };
    opened.others = othersOf(id, opened);
    this.opened.set(id, opened);
    followed.follow((change) => this.update(id, opened, change));
    [...this.opened.values()].slice(0, -mostFollowed).forEach((one) => one.followed.dispose());
    return main.id;
  }

  /**
   * @param id of an opened file, or of a conversation in it
   * @throws {ImportError} if a conversation holds no messages
   */
  async find(id: string | undefined): Promise<ShownSession | undefined> {
    if (id === undefined) return undefined;
    const { main, others } = this.opened.get(fileIdOf(id)) ?? {};
    if (!id.includes('.')) return main;
    const unread = others?.get(id);
    if (unread === undefined) return main;
    unread.shown ??= this.read(id, unread);
    return unread.shown;
  }

  dispose(): void {
    for (const { followed } of this.opened.values()) followed.dispose();
  }

  private update(id: string, opened: Opened, change: LiveChange): void {
    const { followed, main } = opened;
    if (change.isOther) opened.replaced++;
    if (change.isOther || main.session !== followed.session) {
      opened.main = this.shownAs(idOf(id, opened.replaced), followed.session);
    }
    opened.others = othersOf(id, opened);
    const { path, main: shown } = opened;
    for (const listener of this.listeners) listener({ ...change, path, shown });
  }

  /** For the picker, in the order in which they were opened, each file followed by its other conversations. */
  async choices(): Promise<readonly SessionChoice[]> {
    const choices = [...this.opened.values()].map(
      async ({ path, main, others }): Promise<SessionChoice[]> => {
        const listed = await this.ports.listedAs?.(path);
        const below = [...others].map(async ([sessionId, { other, name, shown }]): Promise<SessionChoice> => {
          const session = await shown?.catch(() => undefined);
          const tokens = session === undefined ? undefined : await tokensOf(session);
          return { sessionId, name, kind: other.kind, tokens };
        });
        const own: SessionChoice = {
          sessionId: main.id,
          name: listed?.title ?? main.session.title,
          state: listed?.isLive === true ? 'live' : undefined,
          tokens: await tokensOf(main),
        };
        return [own, ...(await Promise.all(below))];
      },
    );
    return (await Promise.all(choices)).flat();
  }

  private async read(id: string, { other, name }: Unread): Promise<ShownSession> {
    const { readOtherConversation } = await import('../import/read-only-session.ts');
    const { signal } = new AbortController();
    return this.shownAs(id, await readOtherConversation(other, name, this.ports, signal));
  }

  private shownAs(id: string, session: ReadOnlySession): ShownSession {
    const meterOf = (): UsageMeter => this.ports.meterOf();
    return { id, session, inspector: new InspectorModel(session, meterOf) };
  }
}

/** The id of a file by its path, also in another window. The first session that it holds has the same. */
export function transcriptId(path: string): string {
  return `file-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

/** Finds the file that a session was read from by the id of the session, which may be of another window. */
export function pathOfSession(id: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => transcriptId(path) === fileIdOf(id));
}

/** The id of what a file holds; what it held before goes by another one. */
function idOf(fileId: string, replaced: number): string {
  return replaced === 0 ? fileId : `${fileId}~${replaced}`;
}

function fileIdOf(id: string): string {
  return id.split(/[.~]/u, 1)[0] ?? '';
}

/** They are read again, when they are shown: they can have grown, too. */
function othersOf(fileId: string, { followed, subAgents, numbers }: Opened): ReadonlyMap<string, Unread> {
  const others = [...followed.session.others, ...subAgents].map((other): [string, Unread] => {
    const number = numbers.get(other.id) ?? numbers.size + 1;
    numbers.set(other.id, number);
    const name = titleOfTexts([other.opening ?? '']) ?? followed.session.title;
    return [`${fileId}.${number}`, { other, name, shown: undefined }];
  });
  return new Map(others);
}

/** As shown in its header. */
async function tokensOf({ session }: ShownSession): Promise<number> {
  const fullness = await session.foreign?.fullness();
  return fullness?.tokens ?? (await session.compaction.usage()).total;
}
