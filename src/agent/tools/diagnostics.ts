import { ellipsised } from '../../compaction/text/clip.ts';
import { defineTool } from './support/define-tool.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { failed, type Tool, type ToolResult } from './support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/english/agent-english.ts';

/** A problem reported by the editor or a language extension. */
export interface Problem {
  readonly path: string;
  /** Line and column in UTF-16 units, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly source?: string | undefined;
}

/** Port to the problems that the editor knows. */
export interface ProblemFinder {
  /** Finds problems. Waits briefly after a change. @param path absolute, undefined for all problems */
  find(path: string | undefined, signal: AbortSignal): Promise<readonly Problem[]>;
}

const mostShown = 100;
const longestMessage = 400;

export function createDiagnostics(workspace: Workspace, finder: ProblemFinder): Tool {
  return defineTool({
    name: 'diagnostics',
    description:
      'Lists the errors and warnings that the editor has for a file, a directory, or all of the workspace, each with its place. Use it after edits. It knows what languages and linters have looked at; only a build or a test run knows everything.',
    properties: {
      path: {
        type: 'string',
        description: 'Path of a file or a directory, relative to the workspace. Everything if left out.',
      },
    },
    required: [],
    describe: ({ path = '' }) => path,
    async run({ path: given }, signal) {
      const resolution = given === undefined ? undefined : await workspace.resolve(given);
      if (resolution !== undefined && 'refusal' in resolution) return failed(resolution.refusal);
      const found = await finder.find(resolution?.place.path, signal);
      throwIfCancelled(signal);
      return listed(await shownIn(workspace, found), resolution?.place.shown);
    },
  });
}

interface Shown extends Problem {
  readonly shown: string;
}

/** Returns the problems in files of the workspace: errors first, then by place. */
async function shownIn(workspace: Workspace, problems: readonly Problem[]): Promise<readonly Shown[]> {
  const names = new Map<string, string | undefined>();
  for (const path of new Set(problems.map((problem) => problem.path))) {
    const resolution = await workspace.resolve(path);
    names.set(path, 'refusal' in resolution ? undefined : resolution.place.shown);
  }
  return problems
    .flatMap((problem) => {
      const shown = names.get(problem.path);
      return shown === undefined ? [] : [{ ...problem, shown }];
    })
    .toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) ||
        (one.shown === other.shown ? 0 : one.shown < other.shown ? -1 : 1) ||
        one.line - other.line ||
        one.column - other.column,
    );
}

function listed(problems: readonly Shown[], where: string | undefined): ToolResult {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const summary = agentSentences.say('diagnosticsFound', { errors, warnings: problems.length - errors });
  if (problems.length === 0) {
    const place = where === undefined ? '' : ` in ${where}`;
    return { content: `The editor knows of no errors or warnings${place}.`, isError: false, summary };
  }
  const lines = problems.slice(0, mostShown).map(inOneLine);
  const isTruncated = problems.length > mostShown;
  const note = isTruncated ? `\n\n[The first ${mostShown} of ${problems.length}: ${summary.english}.]` : '';
  return {
    content: `${lines.join('\n')}${note}`,
    isError: false,
    summary,
    ...(isTruncated ? { isTruncated } : {}),
  };
}

function inOneLine({ shown, line, column, severity, message, source }: Shown): string {
  const plain = message.replace(/\s+/g, ' ').trim();
  const said = ellipsised(plain, longestMessage);
  return `${shown}:${line}:${column} ${severity} ${said}${source === undefined ? '' : ` (${source})`}`;
}

function rankOf({ severity }: Problem): number {
  return severity === 'error' ? 0 : 1;
}
