import { spawn } from 'node:child_process';
import path from 'node:path';
import { commandEnvironment } from '../../command/command-environment.ts';
import { watchMemory } from '../../command/watch-memory.ts';
import { tailOf } from '../../../compaction/text/clip.ts';
import type { Root } from '../../files/workspace.ts';
import { throwIfCancelled } from '../../../compaction/signals/cancellation.ts';
import { type ModelText, type Sentence, toModel } from '../../../language/sentence.ts';
import { agentSentences } from '../../../language/english/agent-english.ts';
import { failed, ok, sizeInWords, type ToolResult } from './tool.ts';

interface RipgrepRun {
  readonly executable: string;
  readonly flags: readonly string[];
  /** The arguments after `--`: a pattern, if there is one, and a path. */
  readonly operands: readonly string[];
  readonly directory: string;
  /** An open file that ripgrep reads if the path is `-`. */
  readonly input?: number;
  readonly separator: '\n' | '\0';
  /** Called with each item. Returns `false` to stop the search. */
  readonly onItem: (item: string) => boolean;
  /** Time limit on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** The outcome of a run. */
export interface RipgrepOutcome {
  /** Error message of ripgrep. Files that it could not read are not reported. */
  readonly problem?: string;
  /** The limit that stopped the run. Earlier results remain valid. */
  readonly limit?: 'time' | 'output' | 'memory';
}

/** Maximum seconds for a search, including its preparations. */
const mostSeconds = 15;
/** Maximum bytes of ripgrep's memory: ten of the longest lines. Nothing else limits endless lines of ignore files. */
const mostMemory = 500_000_000;
/** Note for the model that a limit was reached. */
export const limitNote = toModel`The search was ended at its limit of ${mostSeconds} s or ${sizeInWords(mostMemory)} of memory, so there may be more. Use a narrower pattern, path or glob.`;

/** Returns the result of a search that found nothing before its limit. */
export function nothingInTime(): ToolResult {
  return failed(
    agentSentences.say('searchNotFinished', { seconds: mostSeconds, memory: sizeInWords(mostMemory) }),
    toModel` There may be matches all the same. Use a narrower pattern, path or glob.`,
  );
}

/** Returns the time limit of a search that begins now. */
export function searchDeadline(): number {
  return performance.now() + mostSeconds * 1000;
}

/** Flags for every run: hidden files but never `.git`, ignore files everywhere, sorted output, limited patterns. */
const commonFlags =
  `--no-config --hidden --no-require-git --glob=!.git --sort=path --no-messages --color=never
    --regex-size-limit=10M --dfa-size-limit=10M`.split(/\s+/);
/** Maximum characters kept from the end of ripgrep's error output, where the message follows the pattern. */
const longestComplaint = 4_000;
/** Maximum characters of an item, more than any path has. */
const longestItem = 64_000;
/** Maximum characters of the whole output, enough for the names of a million files. */
const mostOutput = 64_000_000;

/** Runs ripgrep without a shell until its end or a limit. @throws {CancelledError} after the process has ended */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepOutcome> {
  throwIfCancelled(signal);
  const remaining = run.deadline - performance.now();
  if (remaining <= 0) return { limit: 'time' };
  const child = spawn(run.executable, [...run.flags, ...commonFlags, '--', ...run.operands], {
    cwd: run.directory,
    env: commandEnvironment(process.env),
    stdio: [run.input ?? 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let limit: RipgrepOutcome['limit'];
  let isEnough = false;
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const timer = setTimeout(() => {
    limit = 'time';
    kill();
  }, remaining);
  const stopWatching = watchMemory(child.pid, mostMemory, () => {
    limit ??= 'memory';
    kill();
  });

  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = tailOf(complaint + text, longestComplaint);
  });
  const items = new Items(run.separator, (item) => {
    if (isEnough || limit !== undefined || run.onItem(item)) return;
    isEnough = true;
    kill();
  });
  let read = 0;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    items.push(text);
    read += text.length;
    if (read <= mostOutput || isEnough) return;
    limit ??= 'output';
    kill();
  });

  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    throwIfCancelled(signal);
    if (limit !== undefined) return { limit };
    items.end();
    const hasFailed = exitCode === 2 && complaint !== '' && !isEnough;
    return hasFailed ? { problem: complaint.trim() } : {};
  } catch (error) {
    throwIfCancelled(signal);
    return { problem: `ripgrep could not be started: ${error instanceof Error ? error.message : ''}` };
  } finally {
    clearTimeout(timer);
    stopWatching();
    signal.removeEventListener('abort', kill);
  }
}

/** Splits a stream into items, and processes each character once. Drops an item that is too long. */
class Items {
  private readonly separator: string;
  private readonly take: (item: string) => void;
  private pieces: string[] = [];
  private length = 0;

  constructor(separator: string, take: (item: string) => void) {
    this.separator = separator;
    this.take = take;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf(this.separator); at >= 0; at = text.indexOf(this.separator, from)) {
      this.add(text.slice(from, at));
      this.end();
      from = at + 1;
    }
    this.add(text.slice(from));
  }

  end(): void {
    const isItem = this.length > 0 && this.length <= longestItem;
    if (isItem) this.take(this.pieces.join(''));
    this.pieces = [];
    this.length = 0;
  }

  private add(piece: string): void {
    this.length += piece.length;
    if (this.length <= longestItem) this.pieces.push(piece);
    else this.pieces = [];
  }
}

const longestWords = 300;

/** Rewords an error of ripgrep, so that a model can correct its call. */
export function searchFailure(complaint: string): ModelText | Sentence {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  const said = (lines.findLast((line) => line.startsWith('error: ')) ?? lines.at(-1) ?? '')
    .replace(/^(?:rg|error): /, '')
    .trim()
    .slice(0, longestWords);
  if (/look-around|backreference/i.test(complaint)) {
    return toModel`The pattern uses look-around or back-references, which this search does not have. Write it without them.`;
  }
  if (/size limit/i.test(complaint)) {
    return toModel`The pattern is too large once its repetitions are written out. Use smaller ones.`;
  }
  if (/regex parse error|regex|pattern/i.test(complaint) && !/glob/i.test(complaint)) {
    return toModel`The pattern is not a valid regular expression: ${said} Set literal to true to search for the text itself.`;
  }
  if (/glob/i.test(complaint)) return toModel`The glob is not valid: ${said}`;
  return agentSentences.say('searchFailed', { reason: said });
}

/** A glob in the form of flags for ripgrep. */
export interface FileGlob {
  readonly flags: readonly string[];
  /** Matching paths; undefined if the flags alone select them. */
  readonly allowed: ReadonlySet<string> | undefined;
  /** True if a limit stopped the look-up, so that paths may be missing. */
  readonly isLimited?: boolean;
}

interface FileLookup {
  readonly executable: string;
  readonly directory: string;
  /** Time limit on the clock of `performance.now()`. */
  readonly deadline: number;
}

const longestGlob = 1_000;

/** Restricts a glob to files that are not ignored. `--glob` alone would include ignored files. */
export async function fileGlob(
  glob: string,
  lookup: FileLookup,
  signal: AbortSignal,
): Promise<FileGlob | { readonly problem: string }> {
  const given = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
  const relative = given.replace(/^\/+/, '');
  const plain = relative.replace(/^(?:\*\*\/)+/, '');
  const isAnywhere = plain !== relative || !given.startsWith('/');
  if (isAnywhere && !plain.includes('/')) return { flags: typeFlags(plain), allowed: undefined };
  const lastSegment = plain.slice(plain.lastIndexOf('/') + 1);
  const isWholeSegment = !/[{}[\]]/.test(plain) && lastSegment !== '' && lastSegment !== '**';
  const allowed = new Set<string>();
  const { problem, limit } = await runRipgrep(
    {
      ...lookup,
      flags: ['--files', '--null', ...(isWholeSegment ? typeFlags(lastSegment) : [])],
      operands: [],
      separator: '\0',
      onItem: (item) => {
        allowed.add(normalise(item));
        return true;
      },
    },
    signal,
  );
  if (problem !== undefined) return { problem };
  const anchored = plain === relative ? `/${plain}` : `**/${plain}`;
  return { flags: [`--glob=${anchored}`], allowed, isLimited: limit !== undefined };
}

/** Converts a path as ripgrep prints it to forward slashes, without a leading `./`. */
export function normalise(printed: string): string {
  return printed.split(path.sep).join('/').replace(/^\.\//, '');
}

/** Joins the lines of a result, with a note if some are missing. */
export function resultWithNote(lines: readonly string[], note: string | false): ToolResult {
  return ok(`${lines.join('\n')}${note === false ? '' : `\n\n[${note}]`}`, note !== false);
}

/** Finds the problem with a glob before ripgrep gets it. */
export function globProblem(glob: string): ModelText | undefined {
  if (glob.trim() === '') return toModel`The glob is empty. Example: **/*.ts`;
  if (glob.length > longestGlob) return toModel`The glob is too long: more than ${longestGlob} characters.`;
  if (/[\0\n\r]/.test(glob)) return toModel`A glob is one line.`;
  if (glob.startsWith('!')) return toModel`A glob says what to find; it cannot start with "!".`;
  return undefined;
}

/** Returns the glob for each root. With several roots, a glob that begins with a root's name applies only there. */
export function globsByRoot(
  glob: string,
  roots: readonly Root[],
): readonly { readonly root: Root; readonly glob: string }[] {
  const named = roots.length > 1 ? roots.find(({ name }) => glob.startsWith(`${name}/`)) : undefined;
  if (named === undefined) return roots.map((root) => ({ root, glob }));
  return [{ root: named, glob: glob.slice(named.name.length) }];
}

function typeFlags(nameGlob: string): readonly string[] {
  return [`--type-add=wanted:${nameGlob}`, '--type=wanted'];
}
