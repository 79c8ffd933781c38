import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { KeyForms } from '../../agent/network/key-redactor.ts';
import type { ConversationFile } from '../../agent/governed/governed-conversation.ts';
import {
  type SessionHeader,
  sessionVersion,
  type WireOrigin,
} from '../../transcripts/session/session-event.ts';
import { RecordingFile } from './recording-file.ts';

interface NewRecording {
  /** Time of the first request. */
  readonly at: Date;
  /** Folder of a client without a known name. */
  readonly origin: WireOrigin;
  /** Recording and call that started the conversation; the call is empty for a request outside the conversation. */
  readonly parent?: { readonly id: string; readonly callKey: string } | undefined;
}

/** Maximum number of keys that are removed. A client has few, but renews them. */
const mostKeys = 32;

/** The files of recorded conversations. Credentials never enter them. */
export class Recordings {
  private readonly folder: string;
  private readonly begun: (path: string) => void;
  private readonly paths = new Map<string, string>();
  private keys: readonly string[] = [];
  private forms = new KeyForms(undefined);

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
    // A header may name a scheme before the key.
    const bare = keys.map((key) => key.replace(/^\w+\s+/u, ''));
    const fresh = bare.filter((key) => !this.keys.includes(key));
    if (fresh.length === 0) return;
    this.keys = [...this.keys, ...fresh].slice(-mostKeys);
    this.forms = new KeyForms(this.keys);
  }

  /** Begins the file of a conversation. Its first event creates it. */
  begin({ at, origin, parent }: NewRecording): ConversationFile {
    const createdAt = at.toISOString();
    const name = `${createdAt.slice(0, 19).replace(/[:T]/g, '-')}-${randomBytes(4).toString('hex')}`;
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
      createdAt,
      ...(parent !== undefined && { parent: { sessionId: parent.id, callKey: parent.callKey } }),
      wire: origin,
    };
    const file = new RecordingFile(path, header);
    let isAnnounced = parent !== undefined || origin.isSide === true;
    return {
      id,
      log: async (event) => {
        await file.append(this.forms.redactJson(event));
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
