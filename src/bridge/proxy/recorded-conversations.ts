import { join } from 'node:path';
import type { ConversationFile } from '../../agent/governed/governed-conversation.ts';
import {
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

/** The files of recorded conversations. Credentials never enter them. */
export class Recordings {
  private readonly folder: string;
  private readonly begun: (path: string) => void;
  private readonly paths = new Map<string, string>();
  private readonly credentials = new Credentials();

  /**
   * @param folder folder with a folder for each client
   * @param begun called with the path of each conversation of a user, once its first event is written
   */
  constructor(folder: string, begun: (path: string) => void = () => {}) {
    this.folder = folder;
    this.begun = begun;
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
        ? join(this.folder, origin.client ?? 'another-agent', `${name}${sessionPart(origin)}.jsonl`)
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
    let isAnnounced = parent !== undefined || origin.isSide === true;
    return {
      id,
      log: async (event) => {
        await file.append(this.credentials.redact(event));
        if (!isAnnounced) this.begun(path);
        isAnnounced = true;
      },
      close: async () => {
        this.paths.delete(id);
        await file.close();
      },
    };
  }
}

/** The end of a recording's file name, which names the client's session. */
function sessionPart({ session }: WireOrigin): string {
  return session !== undefined && /^[\w-]{8,80}$/u.test(session) ? `~${session}` : '';
}
