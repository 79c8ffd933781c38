import { readFileSync } from 'node:fs';
import {
  type ApprovalKind,
  type ApprovalRule,
  commandReaches,
} from '../../agent/approvals/approval-request.ts';
import type { RuleStore } from '../../agent/approvals/approval-rules.ts';
import { sealed, unsealed } from '../../agent/files/sealed.ts';
import { SharedFile } from '../../agent/locks/shared-file.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';
import { isRecord } from '../../language/is-record.ts';

const kinds = [
  'edit',
  'command',
  'read',
  'mcp',
  'memory',
  'delegate',
] as const satisfies readonly ApprovalKind[];

/** Beginning of a file that an earlier version wrote. */
const earlier = /^\s*\{\s*"rules"/u;

/** The approval rules that all windows of a workspace share. Kept in VS Code's storage, where no folder can write. */
export class ApprovalStore implements RuleStore {
  private readonly file: SharedFile;
  private readonly report: (problem: Sentence) => void;
  private reported = '';
  /** Changes that could not be written and apply only in this window. */
  private unwritten: ((rules: readonly ApprovalRule[]) => readonly ApprovalRule[])[] = [];

  /** @param report called when rules cannot be read or written; the store continues to work */
  constructor(path: string, report: (problem: Sentence) => void) {
    this.file = new SharedFile(path);
    this.report = report;
  }

  /** Returns the current rules in the file, including rules from other windows. An invalid file has no rules. */
  load(): readonly ApprovalRule[] {
    return this.unwritten.reduce((rules, change) => change(rules), this.read());
  }

  async change(change: (rules: readonly ApprovalRule[]) => readonly ApprovalRule[]): Promise<void> {
    try {
      await this.file.change((text) => sealed({ rules: change(parse(text ?? '') ?? []) }));
    } catch (error) {
      this.unwritten = [...this.unwritten, change];
      this.report(agentSentences.say('rulesNotKept', { reason: reasonOf(error) }));
    }
  }

  private read(): readonly ApprovalRule[] {
    let text: string;
    try {
      // Read synchronously, so that no outdated rule can approve an action.
      text = readFileSync(this.file.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.reportOnce(agentSentences.say('rulesUnreadable', { reason: reasonOf(error) }));
      }
      return [];
    }
    const rules = parse(text);
    if (rules === undefined) this.reportOnce(agentSentences.say('rulesInvalid'));
    return rules ?? [];
  }

  private reportOnce(problem: Sentence): void {
    if (problem.english !== this.reported) this.report(problem);
    this.reported = problem.english;
  }
}

function reasonOf(error: unknown): string | Sentence {
  return error instanceof SentenceError ? error.sentence : messageOf(error);
}

function parse(text: string): readonly ApprovalRule[] | undefined {
  const rules = unsealed(text, earlier)?.['rules'];
  return Array.isArray(rules) && rules.every(isRule) ? rules : undefined;
}

function isRule(value: unknown): value is ApprovalRule {
  if (!isRecord(value)) return false;
  const { kind, pattern, reach } = value;
  if (reach !== undefined && !commandReaches.some((known) => known === reach)) return false;
  return kinds.some((known) => known === kind) && typeof pattern === 'string' && pattern !== '';
}
