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
import { type Mark, noSession } from '../../compaction/quoting/mark.ts';
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

/** A transcript that is written down first: nothing is part of it before its line is durable. */
export class Journal implements CompactionHost {
  readonly nextRecordId: () => string;
  /** Stays the same as long as the session lives. */
  readonly mark: Mark;
  readonly folder: string | undefined;
  private readonly log: (event: SessionEvent) => Promise<void>;
  private readonly told: (entry: TranscriptEntry) => void;
  private current: Transcript;
  private currentTools: ToolSet;
  private toolLists: ToolHistory;
  private lastMessage: number;
  private writing: Promise<unknown> = Promise.resolve();
  /** Part of the transcript, but not in the file yet. */
  private unsaved: readonly SessionEvent[] = [];

  /**
   * @param log appends to the session's file; resolves when it is there
   * @param told called with every entry once it is part of the transcript
   */
  constructor(
    start: {
      readonly entries: readonly TranscriptEntry[];
      readonly tools: readonly ToolSchema[];
      readonly toolHistory?: ToolHistory | undefined;
      readonly toolSet?: ToolSet;
      readonly mark?: Mark | undefined;
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
    this.mark = start.mark ?? noSession;
    this.folder = start.folder;
    this.lastMessage = highestOf(messagesOf(this.current));
    this.nextRecordId = nextRecordIds(this.current);
  }

  get transcript(): Transcript {
    return this.current;
  }

  /** The tool schemas that go with every request: part of what is sent, so part of what is written down. */
  get tools(): readonly ToolSchema[] {
    return this.currentTools.tools;
  }

  /** The tool schemas of earlier requests, too. */
  get toolHistory(): ToolHistory {
    return this.toolLists;
  }

  /** The same schemas, with those that are left out of requests. */
  get toolSet(): ToolSet {
    return this.currentTools;
  }

  /** Nothing was said yet. */
  get isEmpty(): boolean {
    return this.current.entries.every(({ type }) => type !== 'message');
  }

  /** Remembers what is switched off until there are tools to write down. */
  holdOff(off: SwitchedOff): void {
    this.currentTools = { ...this.currentTools, off };
  }

  /**
   * Writes a line. After that an entry is part of the transcript, and requests carry the tools of a list.
   *
   * @param evenUnsaved true for an entry that cannot be had twice, such as a model's answer. If it cannot be written, it
   *   is part of the transcript all the same, and is written before the next line.
   * @throws any error that kept it from being written
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
    // A line that failed does not hold up the next.
    this.writing = written.catch(() => {});
    return written;
  }

  /** Takes a line that another window has written; an entry that does not fit is ignored. */
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

  /** An array of schemas that stays the same stays the same array: its tokens are counted once. */
  private takeTools(toolSet: ToolSet): void {
    const { tools } = this.currentTools;
    if (isSame(toolSet.tools, tools)) {
      this.currentTools = { ...toolSet, tools };
      return;
    }
    this.currentTools = toolSet;
    this.toolLists = [...this.toolLists, { entries: this.current.entries.length, tools: toolSet.tools }];
  }

  /** Id of the message that a person typed last. */
  get lastTypedId(): string | undefined {
    return messagesOf(this.current).findLast(isPrompt)?.id;
  }

  nextMessageId(): string {
    return `m${++this.lastMessage}`;
  }

  /** The message of this id as it was said, whatever compactions made of it, or the summary of this id. */
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

/** The highest number after the letter of an id. A number too high to be counted on from is in no id of ours. */
function highestOf(named: readonly { readonly id: string }[]): number {
  return named.reduce((top, { id }) => Math.max(top, Number(/^[a-z](\d{1,15})$/.exec(id)?.[1] ?? 0)), 0);
}

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

/** Files come back as the model's own reading would: a model that may not read files is shown none. */
function filesOf(journal: Journal, { readFile }: SessionPorts): Pick<SessionPorts, 'readFile'> {
  if (readFile === undefined) return {};
  return {
    readFile: async (path, signal) => {
      const mayRead = journal.tools.some(({ function: { name } }) => name === 'read_file');
      return mayRead ? readFile(path, signal) : undefined;
    },
  };
}
