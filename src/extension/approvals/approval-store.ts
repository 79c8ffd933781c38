import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ApprovalKind, ApprovalRule } from '../../agent/approvals/approval-request.ts';
import type { RuleStore } from '../../agent/approvals/kept-rules.ts';
import { messageOf } from '../../compaction/failure.ts';

const kinds = ['edit', 'command', 'mcp', 'memory', 'delegate'] as const satisfies readonly ApprovalKind[];

/**
 * What is always allowed, in a file. It belongs into the storage that the editor keeps for the workspace, where
 * nothing in the folder can write: a folder must not be able to allow itself anything.
 */
export class ApprovalStore implements RuleStore {
  private readonly path: string;
  private readonly report: (problem: string) => void;
  private writing: Promise<void> = Promise.resolve();

  /** @param report hears, in a sentence, of what cannot be read or written; it stops nothing */
  constructor(path: string, report: (problem: string) => void) {
    this.path = path;
    this.report = report;
  }

  /** A file that is not as it should be holds no rules. */
  async load(): Promise<readonly ApprovalRule[]> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.report(`What is always allowed could not be read: ${messageOf(error)}`);
      }
      return [];
    }
    const rules = parse(text);
    if (rules === undefined) this.report('What is always allowed could not be read, so nothing is.');
    return rules ?? [];
  }

  /** Written beside and renamed into place, one after the other: a crash leaves the old rules or the new ones. */
  save(rules: readonly ApprovalRule[]): Promise<void> {
    this.writing = this.writing.then(() => this.write(rules));
    return this.writing;
  }

  private async write(rules: readonly ApprovalRule[]): Promise<void> {
    try {
      await mkdir(dirname(this.path), { recursive: true });
      await writeFile(`${this.path}.new`, JSON.stringify({ rules }), { mode: 0o600 });
      await rename(`${this.path}.new`, this.path);
    } catch (error) {
      this.report(`What is always allowed holds until this window closes only: ${messageOf(error)}`);
    }
  }
}

function parse(text: string): readonly ApprovalRule[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const rules: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'rules') : undefined;
  return Array.isArray(rules) && rules.every(isRule) ? rules : undefined;
}

function isRule(value: unknown): value is ApprovalRule {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, pattern } = value as Readonly<Record<string, unknown>>;
  return kinds.some((known) => known === kind) && typeof pattern === 'string' && pattern !== '';
}
