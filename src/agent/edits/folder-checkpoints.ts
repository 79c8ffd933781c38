import { makePrivateFolder, privateFile } from '../files/private-files.ts';
import { readOrSetAside, replaceFile } from '../files/replace-file.ts';
import { createHash } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Checkpoints } from './session-edits.ts';
import { FileEditError, type FileChange, type FileEditor } from './file-editor.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { startupSentences } from '../../language/english/startup-english.ts';
import { isRecord } from '../../language/is-record.ts';

/** A line of the index. It records a file that a turn changed, or the undo of a turn. */
type IndexLine =
  | {
      readonly type: 'change';
      readonly turnId: string;
      readonly path: string;
      readonly shown: string;
      /** Digest of each text; null for a missing file. */
      readonly before: string | null;
      readonly after: string | null;
    }
  | { readonly type: 'undone'; readonly turnId: string };

interface Kept {
  readonly path: string;
  readonly shown: string;
  /** Digest of the file before the turn; null if it was missing. */
  readonly before: string | null;
  /** Digest of the file after the agent's changes; null if deleted. */
  readonly after: string | null;
  /** True if another program changed the file between two changes of the agent. */
  readonly isMixed: boolean;
}

type Turn = Map<string, Kept> | 'undone';

/** Stores checkpoints in a folder: an append-only index, and each text once, in a file named by its digest. */
export class FolderCheckpoints implements Checkpoints {
  private readonly folder: string;
  private turns: Promise<Map<string, Turn>> | undefined;
  private writing: Promise<unknown> = Promise.resolve();

  /** @param folder absolute path, created with the first change */
  constructor(folder: string) {
    this.folder = folder;
  }

  note(turnId: string, changes: readonly FileChange[]): Promise<void> {
    return this.inOrder(async () => {
      const lines: IndexLine[] = [];
      for (const { path, shown, before, after } of changes) {
        const [from, to] = [await this.keepText(before), await this.keepText(after)];
        lines.push({ type: 'change', turnId, path, shown, before: from, after: to });
      }
      await this.write(lines);
    });
  }

  async changesOf(turnId: string): Promise<readonly FileChange[]> {
    const turn = (await this.loaded()).get(turnId);
    if (turn === undefined || turn === 'undone') return [];
    const changed = [...turn.values()].filter(({ before, after }) => before !== after);
    return Promise.all(
      changed.map(async ({ path, shown, before, after }) => ({
        path,
        shown,
        before: await this.textOf(before),
        after: await this.textOf(after),
      })),
    );
  }

  async undo(
    turnId: string,
    editor: FileEditor,
    { force }: { readonly force: boolean },
  ): Promise<{ readonly conflicts: readonly string[] }> {
    const turn = (await this.loaded()).get(turnId);
    if (turn === 'undone') throw new FileEditError(agentSentences.say('editsAlreadyUndone'));
    if (turn === undefined) throw new FileEditError(startupSentences.say('noEditsToUndo'));
    const changes: FileChange[] = [];
    const conflicts: string[] = [];
    for (const { path, shown, before, after, isMixed } of turn.values()) {
      const now = await editor.read(path);
      const digest = digestOf(now);
      if (digest === before) continue;
      if (digest !== after || isMixed) conflicts.push(shown);
      changes.push({ path, shown, before: now, after: await this.textOf(before) });
    }
    if (conflicts.length > 0 && !force) return { conflicts };
    await editor.apply(changes);
    await this.inOrder(() => this.write([{ type: 'undone', turnId }]));
    return { conflicts };
  }

  private loaded(): Promise<Map<string, Turn>> {
    this.turns ??= readIndex(this.indexPath);
    return this.turns;
  }

  /** Writes lines to the index. The texts that they name are already stored, so a crash loses nothing. */
  private async write(lines: readonly IndexLine[]): Promise<void> {
    if (lines.length === 0) return;
    const turns = await this.loaded();
    await makePrivateFolder(this.folder);
    // The leading line feed completes a line that a crash cut off.
    await appendFile(this.indexPath, `\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, {
      mode: privateFile,
    });
    for (const line of lines) follow(turns, line);
  }

  /** @returns the digest; null for a missing file */
  private async keepText(text: string | undefined): Promise<string | null> {
    const digest = digestOf(text);
    if (text === undefined || digest === null) return null;
    const path = this.textPath(digest);
    const isKept = await stat(path).then(
      (status) => status.size === Buffer.byteLength(text),
      () => false,
    );
    if (isKept) return digest;
    await makePrivateFolder(join(this.folder, 'texts'));
    await replaceFile(path, text, { flush: false });
    return digest;
  }

  private async textOf(digest: string | null): Promise<string | undefined> {
    if (digest === null) return undefined;
    const text = await readFile(this.textPath(digest), 'utf8').catch(() => undefined);
    // A copy that was damaged on disk is rejected.
    if (digestOf(text) === digest) return text;
    throw new FileEditError(agentSentences.say('originalsAreGone'));
  }

  private get indexPath(): string {
    return join(this.folder, 'index.jsonl');
  }

  private textPath(digest: string): string {
    return join(this.folder, 'texts', digest);
  }

  private inOrder<R>(work: () => Promise<R>): Promise<R> {
    const done = this.writing.then(work, work);
    this.writing = done;
    return done;
  }
}

function digestOf(text: string | undefined): string | null {
  return text === undefined ? null : createHash('sha256').update(text).digest('hex');
}

async function readIndex(path: string): Promise<Map<string, Turn>> {
  const turns = new Map<string, Turn>();
  const text = await readOrSetAside(path);
  for (const line of text?.split('\n') ?? []) {
    const read = readLine(line);
    if (read !== undefined) follow(turns, read);
  }
  return turns;
}

function readLine(line: string): IndexLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isIndexLine(value) ? value : undefined;
}

function isIndexLine(value: unknown): value is IndexLine {
  if (!isRecord(value) || typeof value['turnId'] !== 'string') return false;
  if (value['type'] === 'undone') return true;
  const { type, path, shown, before, after } = value;
  const isNamed = typeof path === 'string' && isAbsolute(path) && typeof shown === 'string';
  return type === 'change' && isNamed && isDigest(before) && isDigest(after);
}

/** True for a digest or null. Digests become file names, so the index must not contain any other text. */
function isDigest(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
}

function follow(turns: Map<string, Turn>, line: IndexLine): void {
  if (line.type === 'undone') {
    turns.set(line.turnId, 'undone');
    return;
  }
  const { turnId, path, shown, before, after } = line;
  const turn = turns.get(turnId);
  const files = turn === undefined || turn === 'undone' ? new Map<string, Kept>() : turn;
  const known = files.get(path);
  files.set(path, {
    path,
    shown,
    before: known === undefined ? before : known.before,
    after,
    isMixed: known !== undefined && (known.isMixed || known.after !== before),
  });
  turns.set(turnId, files);
}
