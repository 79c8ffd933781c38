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

/** Stores telemetry in a file for each conversation, as lines of OTLP/JSON. */
export class TelemetryFiles {
  private readonly folder: string;
  /** Name of a conversation or trace → its file, oldest first. */
  private readonly files = new Map<string, TelemetryFile>();
  private writing = Promise.resolve();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Resolves when the records are written. Records of conversations without a request are left out. */
  store(records: readonly StoredTelemetry[]): Promise<void> {
    const stored = this.writing.then(() => this.write(records));
    this.writing = stored.catch(() => {});
    return stored;
  }

  private async write(records: readonly StoredTelemetry[]): Promise<void> {
    const lines = new Map<TelemetryFile, string[]>();
    for (const record of records) {
      const file = this.fileOf(record);
      if (file === undefined) continue;
      file.size += record.line.length;
      const added = lines.get(file);
      if (added === undefined) lines.set(file, [record.line]);
      else added.push(record.line);
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

  private begin(): TelemetryFile {
    return { path: join(this.folder, `${recordingName(new Date())}.jsonl`), size: 0 };
  }
}
