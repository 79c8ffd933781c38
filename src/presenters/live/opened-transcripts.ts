import { createHash } from 'node:crypto';
import type { Wording } from '../../language/translated/wording.ts';
import { InspectorModel } from '../inspector/inspector-model.ts';
import type { SessionChoice } from '../../protocol/inspector.ts';
import type { ReadableConversation, ReadOnlySession } from '../import/read-only-session.ts';
import type { LiveChange, LiveSession } from './live-session.ts';
import type { ReadingPorts } from './session-reader.ts';
import { titleOfTexts } from '../../transcripts/reading/typed-title.ts';

/** A conversation other than the active one, which is read when it is first shown. */
interface Unread {
  readonly other: ReadableConversation;
  readonly name: string;
  shown: Promise<InspectorModel> | undefined;
}

interface Opened extends OpenedTranscript {
  /** Id of another conversation in the file → its number. New conversations do not change these numbers. */
  readonly numbers: Map<string, number>;
  /** Number of times that another conversation replaced the content of the file. */
  replaced: number;
  main: InspectorModel;
  others: ReadonlyMap<string, Unread>;
}

/** An opened session and its file. */
export interface OpenedTranscript {
  readonly path: string;
  readonly session: LiveSession;
  /** Conversations of sub-agents in separate files. */
  readonly subAgents: readonly ReadableConversation[];
}

export interface OpenedChange extends LiveChange {
  readonly path: string;
  /** The session after it has changed. */
  readonly shown: InspectorModel;
}

interface OpenedPorts extends Omit<ReadingPorts, 'readerOf'> {
  readonly wording: Wording;
}

/** Maximum number of followed sessions. Sessions opened earlier no longer change. */
const mostFollowed = 8;

/** Sessions of other agents that are open for reading until the window is closed. They follow their files. */
export class OpenedTranscripts {
  private readonly ports: OpenedPorts;
  private readonly opened = new Map<string, Opened>();
  private readonly listeners = new Set<(change: OpenedChange) => void>();

  constructor(ports: OpenedPorts) {
    this.ports = ports;
  }

  /** Calls a function whenever an opened session has changed. */
  onDidChange(listener: (change: OpenedChange) => void): void {
    this.listeners.add(listener);
  }

  /** The id of a file's session if it is open and followed, or undefined. */
  idOf(path: string): string | undefined {
    const followed = [...this.opened.values()].slice(-mostFollowed);
    return followed.find((one) => one.path === path)?.main.id;
  }

  /** @returns the id of the opened session; a file always has the same id */
  add({ path, session, subAgents }: OpenedTranscript): string {
    const id = transcriptId(path);
    const before = this.opened.get(id);
    before?.session.dispose();
    // Moves the session to the end, because only the last opened sessions are followed.
    this.opened.delete(id);
    const replaced = before === undefined ? 0 : before.replaced + 1;
    const main = this.modelOf(idOf(id, replaced), session);
    const numbers = new Map<string, number>();
    const opened: Opened = { path, session, subAgents, numbers, replaced, main, others: new Map() };
    opened.others = othersOf(id, opened);
    this.opened.set(id, opened);
    session.follow((change) => this.update(id, opened, change));
    [...this.opened.values()].slice(0, -mostFollowed).forEach((one) => one.session.dispose());
    return main.id;
  }

  /** The session of a file, or a conversation in it. @throws {ImportError} if the conversation has no messages */
  async find(id: string | undefined): Promise<InspectorModel | undefined> {
    if (id === undefined) return undefined;
    const { main, others } = this.opened.get(fileIdOf(id)) ?? {};
    if (!id.includes('.')) return main;
    const unread = others?.get(id);
    if (unread === undefined) return main;
    unread.shown ??= this.read(id, unread);
    return unread.shown;
  }

  dispose(): void {
    for (const { session } of this.opened.values()) session.dispose();
  }

  private update(id: string, opened: Opened, change: LiveChange): void {
    if (change.isOther) opened.replaced++;
    // After any change other than added entries, the cached results of the model are invalid.
    if (!change.isAppended) opened.main = this.modelOf(idOf(id, opened.replaced), opened.session);
    opened.others = othersOf(id, opened);
    const { path, main: shown } = opened;
    for (const listener of this.listeners) listener({ ...change, path, shown });
  }

  /** Choices for the picker, in the order of opening. Each file is followed by its other conversations. */
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

  private async read(id: string, { other, name }: Unread): Promise<InspectorModel> {
    const { readOtherConversation } = await import('../import/read-only-session.ts');
    const { signal } = new AbortController();
    return this.modelOf(id, await readOtherConversation(other, name, this.ports, signal));
  }

  private modelOf(id: string, session: ReadOnlySession): InspectorModel {
    const { meterOf, wording } = this.ports;
    return new InspectorModel({ id, session, meterOf, wording });
  }
}

/** The id of a file, derived from its path and therefore the same in all windows. Also the id of its first session. */
export function transcriptId(path: string): string {
  return `file-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

/** Finds the file of a session by the session's id, which may come from another window. */
export function pathOfSession(id: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => transcriptId(path) === fileIdOf(id));
}

/** The id of the session that a file contains. After the file was replaced, its session has another id. */
function idOf(fileId: string, replaced: number): string {
  return replaced === 0 ? fileId : `${fileId}~${replaced}`;
}

function fileIdOf(id: string): string {
  return id.split(/[.~]/u, 1)[0] ?? '';
}

/** Lists the other conversations. They are read again when they are next shown, because they may have grown. */
function othersOf(fileId: string, { session, subAgents, numbers }: Opened): ReadonlyMap<string, Unread> {
  const others = [...session.others, ...subAgents].map((other): [string, Unread] => {
    const number = numbers.get(other.id) ?? numbers.size + 1;
    numbers.set(other.id, number);
    const name = titleOfTexts([other.opening ?? '']) ?? session.title;
    return [`${fileId}.${number}`, { other, name, shown: undefined }];
  });
  return new Map(others);
}

/** Number of tokens that the header of the session shows. */
async function tokensOf({ session }: InspectorModel): Promise<number> {
  const fullness = await session.foreign?.fullness();
  return fullness?.tokens ?? (await session.compaction.usage()).total;
}
