import {
  append,
  messagesOf,
  nextRecordIds,
  originalOf,
  type Transcript,
  TranscriptError,
  transcriptOf,
} from '../../compaction/transcript/transcript.ts';
import { isPrompt, type Message, type ToolSchema } from '../../compaction/messages/message.ts';
import { type TagSuffix, noSession } from '../../compaction/quoting/session-tags.ts';
import type { CompactionEvent, CompactionHost } from '../../compaction/service/service-ports.ts';
import { CompactionService } from '../../compaction/service/service.ts';
import {
  sameToolsThroughout,
  type ToolHistory,
  type TranscriptEntry,
} from '../../compaction/transcript/transcript-entry.ts';
import {
  isEntry,
  type SessionEvent,
  type SwitchedOff,
  type ToolSet,
  toolSetOf,
  type ToolsEvent,
} from '../../transcripts/session/session-event.ts';
import type { Models, SessionPorts } from './session-ports.ts';

/** A transcript that adds an entry only after its line is durable. */
export class Journal implements CompactionHost {
  readonly nextRecordId: () => string;
  /** Mark of the session, which never changes. */
  readonly tagSuffix: TagSuffix;
  readonly folder: string | undefined;
  private readonly log: (event: SessionEvent) => Promise<void>;
  private readonly told: (entry: TranscriptEntry) => void;
  private current: Transcript;
  private currentTools: ToolSet;
  private toolLists: ToolHistory;
  private lastMessage: number;
  private writing: Promise<unknown> = Promise.resolve();
  /** Events that are part of the transcript but not yet in the file. */
  private unsaved: readonly SessionEvent[] = [];

  /** @param log appends to the session's file @param told called with every entry of the transcript */
  constructor(
    start: {
      readonly entries: readonly TranscriptEntry[];
      readonly tools: readonly ToolSchema[];
      readonly toolHistory?: ToolHistory | undefined;
      readonly toolSet?: ToolSet;
      readonly tagSuffix?: TagSuffix | undefined;
      readonly folder?: string | undefined;
    },
    log: (event: SessionEvent) => Promise<void>,
    told: (entry: TranscriptEntry) => void,
  ) {
    this.log = log;
    this.told = told;
    this.current = transcriptOf(start.entries);
    this.currentTools = start.toolSet ?? { tools: start.tools };
    this.toolLists = start.toolHistory ?? sameToolsThroughout(start.tools);
    this.tagSuffix = start.tagSuffix ?? noSession;
    this.folder = start.folder;
    this.lastMessage = highestOf(messagesOf(this.current));
    this.nextRecordId = nextRecordIds(this.current);
  }

  get transcript(): Transcript {
    return this.current;
  }

  /** The tool schemas that every request contains, and that are therefore recorded. */
  get tools(): readonly ToolSchema[] {
    return this.currentTools.tools;
  }

  get toolHistory(): ToolHistory {
    return this.toolLists;
  }

  get toolSet(): ToolSet {
    return this.currentTools;
  }

  get isEmpty(): boolean {
    return this.current.entries.every(({ type }) => type !== 'message');
  }

  /** Keeps the switched-off tools until a list of tools is written. */
  holdOff(off: SwitchedOff): void {
    this.currentTools = { ...this.currentTools, off };
  }

  /**
   * Writes a line, and then adds the entry to the transcript.
   * @param evenUnsaved true to add an entry that cannot be repeated, even if it cannot be written
   * @throws the error that prevented the write
   */
  append(event: SessionEvent, { evenUnsaved = false } = {}): Promise<void> {
    if (event.type === 'tools' && isSame(toolSetOf(event), this.currentTools)) return Promise.resolve();
    const written = this.writing.then(async () => {
      try {
        await this.save();
        await this.log(event);
      } catch (error) {
        if (evenUnsaved) {
          this.unsaved = [...this.unsaved, event];
          this.take(event);
        }
        throw error;
      }
      this.take(event);
    });
    // A line that could not be written does not block the next one.
    this.writing = written.catch(() => {});
    return written;
  }

  /** Takes over a line that another window wrote. Ignores an invalid entry. */
  follow(event: TranscriptEntry | ToolsEvent): void {
    try {
      this.take(event);
    } catch (error) {
      if (!(error instanceof TranscriptError)) throw error;
    }
  }

  private take(event: SessionEvent): void {
    if (event.type === 'tools') this.takeTools(toolSetOf(event));
    if (!isEntry(event)) return;
    this.current = append(this.current, event);
    if (event.type === 'message') this.lastMessage = Math.max(this.lastMessage, highestOf([event.message]));
    this.told(event);
  }

  /** Keeps the array of an unchanged list of tools, so that its tokens are counted only once. */
  private takeTools(toolSet: ToolSet): void {
    const { tools } = this.currentTools;
    if (isSame(toolSet.tools, tools)) {
      this.currentTools = { ...toolSet, tools };
      return;
    }
    this.currentTools = toolSet;
    this.toolLists = [...this.toolLists, { entries: this.current.entries.length, tools: toolSet.tools }];
  }

  get lastTypedId(): string | undefined {
    return messagesOf(this.current).findLast(isPrompt)?.id;
  }

  nextMessageId(): string {
    return `m${++this.lastMessage}`;
  }

  /** Returns the original message with this id, regardless of compactions, or the summary with this id. */
  original(id: string): Message | undefined {
    return originalOf(this.current, id);
  }

  private async save(): Promise<void> {
    for (const entry of this.unsaved) {
      await this.log(entry);
      this.unsaved = this.unsaved.filter((other) => other !== entry);
    }
  }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the highest number in the ids, without numbers beyond the safe range, which we never assign. */
function highestOf(named: readonly { readonly id: string }[]): number {
  return named.reduce((top, { id }) => Math.max(top, Number(/^[a-z](\d{1,15})$/.exec(id)?.[1] ?? 0)), 0);
}

/** The ports of a session that its compactions use. */
type CompactingPorts = Pick<
  SessionPorts,
  'meter' | 'customStrategy' | 'elsewhere' | 'readFile' | 'now' | 'settings'
>;

/** Creates the compaction service of a session. @param models models of the newest turn */
export function createSessionCompaction(
  journal: Journal,
  ports: CompactingPorts,
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
      ...(ports.customStrategy === undefined ? {} : { customStrategy: ports.customStrategy }),
      ...(ports.elsewhere === undefined ? {} : { elsewhere: ports.elsewhere }),
      ...filesOf(journal, ports),
      clock: { now: ports.now },
      nextRecordId: () => journal.nextRecordId(),
    },
    ports.settings,
    tell,
  );
}

/** Returns the port that reads files to restore. If the model may not use `read_file`, no file is restored. */
function filesOf(journal: Journal, { readFile }: CompactingPorts): Pick<SessionPorts, 'readFile'> {
  if (readFile === undefined) return {};
  return {
    readFile: async (path, signal) => {
      const mayRead = journal.tools.some(({ function: { name } }) => name === 'read_file');
      return mayRead ? readFile(path, signal) : undefined;
    },
  };
}
