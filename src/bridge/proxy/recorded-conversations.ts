import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AskedChanges } from '../../agent/governed/asked-changes.ts';
import type { ConversationFile, RecordedConversation } from '../../agent/governed/governed-conversation.ts';
import { SessionLock } from '../../agent/locks/session-lock.ts';
import { rewrittenId } from '../../compaction/records/record.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import {
  type SessionEvent,
  type SessionHeader,
  sessionVersion,
  type WireOrigin,
} from '../../transcripts/session/session-event.ts';
import { Credentials } from './credentials.ts';
import { earlierRecordings, sessionPart } from './earlier-recordings.ts';
import { RecordingFile, recordingName } from './recording-file.ts';

interface NewRecording {
  /** Time of the first request. */
  readonly at: Date;
  /** Folder of a client without a known name. */
  readonly origin: WireOrigin;
  /** Recording and call that started the conversation; the call is empty for a request outside the conversation. */
  readonly parent?: { readonly id: string; readonly callKey: string } | undefined;
}

interface RecordingsPorts {
  /** Folder with a folder for each client. */
  readonly recordings: string;
  /** Called with the path of each conversation of a user, once an event of this process is written. */
  readonly begun: ((path: string) => void) | undefined;
  /** Called with the id of a conversation when the user may have asked for a change. */
  readonly asked: (id: string) => void;
  readonly log: (line: string) => void;
}

/** The files of recorded conversations. Credentials never enter them. */
export class Recordings {
  private readonly ports: RecordingsPorts;
  private readonly paths = new Map<string, string>();
  private readonly credentials = new Credentials();

  constructor(ports: RecordingsPorts) {
    this.ports = ports;
  }

  /** Removes these credentials from everything that is written from now on. */
  keepOut(keys: readonly string[]): void {
    this.credentials.keepOut(keys);
  }

  /** Begins the file of a conversation. Its first event creates it. */
  begin({ at, origin, parent }: NewRecording): ConversationFile {
    const name = recordingName(at);
    const id = parent === undefined ? name : `${parent.id}.${name}`;
    const beside = parent && this.paths.get(parent.id);
    const path =
      beside === undefined
        ? join(this.folderOf(origin), `${name}${sessionPart(origin)}.jsonl`)
        : join(beside.replace(/\.jsonl$/u, ''), `${name}.jsonl`);
    this.paths.set(id, path);
    const header: SessionHeader = {
      type: 'session',
      version: sessionVersion,
      id,
      createdAt: at.toISOString(),
      ...(parent !== undefined && { parent: { sessionId: parent.id, callKey: parent.callKey } }),
      wire: origin,
    };
    const before = `${JSON.stringify(header)}\n`;
    const file = new RecordingFile(path, { before, lock: new SessionLock(path) });
    return this.conversationIn(file, header, []);
  }

  /** Reads conversations that a request of this origin may continue, the likeliest first. */
  async *earlier(origin: WireOrigin, hasTools: boolean): AsyncGenerator<RecordedConversation> {
    const open = new Set(this.paths.values());
    for await (const recording of earlierRecordings(this.folderOf(origin), origin, open)) {
      const { path, contents, size, endsLine } = recording;
      const { header, toolSet, entries } = contents;
      // A request without tools may repeat a conversation, but does not continue it.
      const hadTools = toolSet.tools.length + (toolSet.aside?.length ?? 0) > 0;
      if (header === undefined || hadTools !== hasTools) continue;
      const lock = new SessionLock(path);
      const file = new RecordingFile(path, { before: endsLine ? '' : '\n', lock });
      const claim = async () => {
        if (!(await isClaimed(path, size, lock))) return false;
        this.paths.set(header.id, path);
        return true;
      };
      yield { contents, file: this.conversationIn(file, header, entries), claim };
    }
  }

  private folderOf({ client = 'another-agent' }: WireOrigin): string {
    return join(this.ports.recordings, client);
  }

  /** @param earlier events that are in the file */
  private conversationIn(
    file: RecordingFile,
    { id, parent, wire }: SessionHeader,
    earlier: readonly SessionEvent[],
  ): ConversationFile {
    const { path } = file;
    const changes = new AskedChanges(path);
    const failed = (error: unknown) => {
      this.ports.log(`A change that was asked for in ${id} is not made: ${messageOf(error)}`);
    };
    let isCompacted = earlier.some(canBeUndone);
    let isAnnounced = parent !== undefined || wire?.isSide === true;
    return {
      id,
      log: async (event) => {
        isCompacted ||= canBeUndone(event);
        // A reader of the compaction finds that it can be undone.
        if (isCompacted) await changes.begin(() => this.ports.asked(id)).catch(failed);
        await file.append(this.credentials.redact(event));
        if (!isAnnounced) this.ports.begun?.(path);
        isAnnounced = true;
      },
      makeAsked: async (make) => {
        for (const change of await changes.take()) await make(change).catch(failed);
      },
      close: async () => {
        this.paths.delete(id);
        await changes.end();
        await file.close();
      },
    };
  }
}

/** True for a compaction that was made here. */
function canBeUndone(event: SessionEvent): boolean {
  return event.type === 'compaction' && event.record.requestedStrategy !== rewrittenId;
}

/** Takes the lock of a file. @returns false if another program has it, has written the file, or protects the file */
async function isClaimed(path: string, size: number, lock: SessionLock): Promise<boolean> {
  try {
    await lock.hold();
    await access(path, constants.W_OK);
    if ((await stat(path)).size === size) return true;
  } catch {
    // A new recording begins.
  }
  await lock.release();
  return false;
}
