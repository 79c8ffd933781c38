import { join } from 'node:path';
import { AskedChanges } from '../../agent/governed/asked-changes.ts';
import type { ConversationFile } from '../../agent/governed/governed-conversation.ts';
import { rewrittenId } from '../../compaction/records/record.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import {
  type SessionEvent,
  type SessionHeader,
  sessionVersion,
  type WireOrigin,
} from '../../transcripts/session/session-event.ts';
import { Credentials } from './credentials.ts';
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
  /** Called with the path of each conversation of a user, once its first event is written. */
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
        ? join(this.ports.recordings, origin.client ?? 'another-agent', `${name}${sessionPart(origin)}.jsonl`)
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
    const file = new RecordingFile(path, header);
    const changes = new AskedChanges(path);
    const failed = (error: unknown) => {
      this.ports.log(`A change that was asked for in ${name} is not made: ${messageOf(error)}`);
    };
    let isAnnounced = parent !== undefined || origin.isSide === true;
    return {
      id,
      log: async (event) => {
        // A reader of the compaction finds that it can be undone.
        if (canBeUndone(event)) await changes.begin(() => this.ports.asked(id)).catch(failed);
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

/** The end of a recording's file name, which names the client's session. */
function sessionPart({ session }: WireOrigin): string {
  return session !== undefined && /^[\w-]{8,80}$/u.test(session) ? `~${session}` : '';
}
