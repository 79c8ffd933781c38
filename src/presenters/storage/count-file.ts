import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { readIfThere, replaceFile } from '../../agent/files/replace-file.ts';
import { nodeSlices } from '../../agent/node-slices.ts';
import { type Kind, kinds, type Message } from '../../compaction/messages/message.ts';
import type { Usage, UsageMeter } from '../../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';

/** First word of the file, with the version of its format. The counting rules follow. */
const heading = 'context-budget-counts-3';
/** First word of the earlier version, whose lines have no checksums. */
const earlierHeading = 'context-budget-counts-2';
/** Maximum number of messages whose counts are kept, and maximum bytes of a file that is read. */
const mostCounts = 50_000;
const longestFile = 8_000_000;
/** Characters of a hash. A line contains the hash of the counted text, the tokens of each kind, and a checksum. */
const hashLength = 22;
const tokensPattern = /^(?: [A-Za-z]+:\d{1,9})*$/;

const kindNames: ReadonlySet<string> = new Set(kinds);

/**
 * The counts of a session's messages by hash, so that nothing is counted when the session is opened. Damaged files, and
 * files of another encoding, are ignored. The window that writes the session replaces the whole file.
 */
export class CountFile {
  private readonly path: string;
  /** Messages whose counts are already in the file. */
  private readonly saved = new WeakSet<Message>();
  private readonly hashes = new WeakMap<Message, string>();
  private last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Adds the stored counts of messages to a meter. Never rejects. */
  async teach(meter: UsageMeter, messages: readonly Message[]): Promise<void> {
    const counts = await this.read(meter);
    if (counts.size === 0) return;
    const slices = nodeSlices();
    for (const message of messages) {
      const usage = usageIn(counts.get(this.hashOf(message, meter)));
      if (usage !== undefined) {
        meter.learn(message, usage);
        this.saved.add(message);
      }
      if (slices.isOver) await slices.next();
    }
  }

  /** Stores the meter's counts of messages if the file lacks any. @throws errors of the file system */
  save(meter: UsageMeter, messages: readonly Message[]): Promise<void> {
    const saved = this.last.then(async () => {
      if (messages.some((message) => !this.saved.has(message))) await this.write(meter, messages);
    });
    this.last = saved.catch(() => {});
    return saved;
  }

  private async write(meter: UsageMeter, messages: readonly Message[]): Promise<void> {
    const { counting } = meter;
    if (counting === undefined) return;
    const slices = nodeSlices();
    const lines = new Set([`${heading} ${counting}`]);
    const written: Message[] = [];
    for (const message of messages.slice(-mostCounts)) {
      const usage = meter.knownUsage(message);
      if (usage !== undefined) {
        lines.add(withChecksum(`${this.hashOf(message, meter)}${countsOf(usage)}`));
        written.push(message);
      }
      if (slices.isOver) await slices.next();
    }
    await replaceFile(this.path, `${[...lines].join('\n')}\n`);
    for (const message of written) this.saved.add(message);
  }

  /** Hash → rest of its line. Empty if the file is missing or unreadable; then everything is counted again. */
  private async read(meter: UsageMeter): Promise<ReadonlyMap<string, string>> {
    try {
      const isRead = meter.counting !== undefined && (await stat(this.path)).size <= longestFile;
      const [first, ...lines] = isRead ? ((await readIfThere(this.path)) ?? '').split('\n') : [];
      const isEarlier = first === `${earlierHeading} ${meter.counting ?? ''}`;
      if (!isEarlier && first !== `${heading} ${meter.counting ?? ''}`) return new Map();
      const whole = isEarlier ? lines : lines.flatMap((line) => withoutChecksum(line) ?? []);
      return new Map(whole.map((line) => [line.slice(0, hashLength), line.slice(hashLength)]));
    } catch {
      return new Map();
    }
  }

  private hashOf(message: Message, meter: UsageMeter): string {
    const known = this.hashes.get(message);
    if (known !== undefined) return known;
    const hashing = createHash('sha256');
    for (const part of meter.countedOf(message)) hashing.update(part);
    const hash = hashing.digest('base64url').slice(0, hashLength);
    this.hashes.set(message, hash);
    return hash;
  }
}

/** The messages of a session that are counted, including messages that compactions added. */
export function countedIn(entries: readonly TranscriptEntry[]): readonly Message[] {
  return entries.flatMap((entry) => {
    if (entry.type === 'message') return [entry.message];
    return entry.type === 'compaction' ? entry.record.outputs : [];
  });
}

function withChecksum(line: string): string {
  return `${line} ${crc32(line).toString(36)}`;
}

/** @returns undefined if the line is damaged, because a single wrong bit can change a number */
function withoutChecksum(line: string): string | undefined {
  const counts = line.slice(0, line.lastIndexOf(' '));
  return withChecksum(counts) === line ? counts : undefined;
}

function countsOf({ byKind }: Usage): string {
  return kinds.flatMap((kind) => (byKind[kind] === 0 ? [] : [` ${kind}:${byKind[kind]}`])).join('');
}

/** @returns undefined if the text is not a usage or contains an unknown kind */
function usageIn(text: string | undefined): Usage | undefined {
  if (text === undefined || !tokensPattern.test(text)) return undefined;
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  let total = 0;
  for (const pair of text.split(' ').slice(1)) {
    const [kind = '', tokens] = pair.split(':');
    if (!kindNames.has(kind)) return undefined;
    byKind[kind as Kind] = Number(tokens);
    total += Number(tokens);
  }
  return { total, byKind };
}
