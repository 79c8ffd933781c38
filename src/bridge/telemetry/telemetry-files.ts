import { join } from 'node:path';
import { RecordingFile, recordingName } from '../proxy/recording-file.ts';
import type { StoredTelemetry } from './stored-telemetry.ts';

/** A file of one conversation, or of one trace without a named conversation. */
interface TelemetryFile {
  readonly path: string;
  size: number;
}

/** Characters after which another file begins. It lacks nothing, because a request has its whole context. */
const largestFile = 8_000_000;
/** Maximum number of conversations and traces that are remembered. A later record of a forgotten one begins a file. */
const mostGroups = 10_000;
/** Maximum characters of records that wait for the messages of their request. */
const mostWaiting = 4_000_000;

/** Stores telemetry in a file for each conversation, as lines of OTLP/JSON. */
export class TelemetryFiles {
  private readonly folder: string;
  /** Name of a conversation or trace → its file, oldest first. */
  private readonly files = new Map<string, TelemetryFile>();
  /** Spans and replies that came before the messages of their request, oldest first. */
  private readonly waiting: StoredTelemetry[] = [];
  /** Characters of the records that wait. */
  private waitingSize = 0;
  private writing = Promise.resolve();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Resolves when the records are written. Records without a request wait for it, and are never written without. */
  store(records: readonly StoredTelemetry[]): Promise<void> {
    const stored = this.writing.then(() => this.write(records));
    this.writing = stored.catch(() => {});
    return stored;
  }

  private async write(records: readonly StoredTelemetry[]): Promise<void> {
    const lines = new Map<TelemetryFile, string[]>();
    const add = (file: TelemetryFile, { line }: StoredTelemetry) => {
      file.size += line.length;
      const added = lines.get(file);
      if (added === undefined) lines.set(file, [line]);
      else added.push(line);
    };
    for (const record of records) {
      const file = this.fileOf(record);
      if (file === undefined) this.wait(record);
      else for (const one of [record, ...(record.isRequest ? this.takeWaiting(record) : [])]) add(file, one);
    }
    for (const [{ path }, added] of lines) {
      const file = new RecordingFile(path);
      await file.appendLines(added).finally(() => file.close());
    }
  }

  private fileOf({ groups, isRequest }: StoredTelemetry): TelemetryFile | undefined {
    const known = groups.map((group) => this.files.get(group)).find((file) => file !== undefined);
    const isFull = known !== undefined && known.size > largestFile;
    const file = isRequest && (known === undefined || isFull) ? this.begin() : known;
    if (file === undefined) return undefined;
    for (const group of groups) {
      this.files.delete(group);
      this.files.set(group, file);
    }
    for (const oldest of this.files.keys()) {
      if (this.files.size <= mostGroups) break;
      this.files.delete(oldest);
    }
    return file;
  }

  private wait(record: StoredTelemetry): void {
    this.waiting.push(record);
    this.waitingSize += record.line.length;
    while (this.waitingSize > mostWaiting) this.waitingSize -= this.waiting.shift()?.line.length ?? 0;
  }

  /** Removes the records that belong to a request from those that wait. */
  private takeWaiting({ groups }: StoredTelemetry): readonly StoredTelemetry[] {
    const taken: StoredTelemetry[] = [];
    for (const record of this.waiting.splice(0)) {
      const isOfRequest = record.groups.some((group) => groups.includes(group));
      (isOfRequest ? taken : this.waiting).push(record);
      if (isOfRequest) this.waitingSize -= record.line.length;
    }
    return taken;
  }

  private begin(): TelemetryFile {
    return { path: join(this.folder, `${recordingName(new Date())}.jsonl`), size: 0 };
  }
}
