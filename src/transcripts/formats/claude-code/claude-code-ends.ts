import type { ReportedEnd } from '../../../compaction/messages/ledger.ts';
import { isRecord } from '../../../language/is-record.ts';
import type { Fields } from '../../reading/fields.ts';
import { claudeCodeEndReports, reportedEndOf } from '../../reading/reported-ends.ts';
import type { Draft, EndedTask } from '../../reading/transcript-format.ts';

/**
 * Values of `toolDenialKind` in rows of version 2.1.205 and later, for calls that did not run. `interrupted` means
 * that the call was stopped while running. An unknown value means only that the call did not run.
 */
const denialKinds: ReadonlyMap<unknown, ReportedEnd> = new Map<string, ReportedEnd>([
  ['user-rejected', 'refused'],
  ['permission-rule', 'notAllowed'],
  ['automode-blocked', 'notAllowed'],
  ['automode-unavailable', 'notAllowed'],
  ['automode-parsing-error', 'notAllowed'],
  ['cancelled', 'skipped'],
  ['interrupted', 'cancelled'],
]);

/** Beginning of the result of a failed command. */
const failedWith = /^Exit code (\d{1,3})(?:\n|$)/u;

/** `toolUseResult` of a call that the user refused. */
const rejection = 'User rejected tool use';

/** Fields of `toolUseResult`, and of its `task`, that show how a call ended. */
const endNames: ReadonlySet<string> = new Set([
  ...['backgroundTaskId', 'isAsync', 'agentId', 'interrupted', 'task'],
  ...['task_id', 'shellId', 'shell_id', 'status', 'exitCode', 'stdout', 'returnCodeInterpretation'],
]);

/** Cuts `toolUseResult` down to `endNames`; the rest, half of a session, repeats results and edited files. */
export function withBriefResult(row: Fields): Fields {
  const { toolUseResult } = row;
  return toolUseResult === undefined ? row : { ...row, toolUseResult: briefResult(toolUseResult) };
}

function briefResult(result: unknown): unknown {
  if (!isRecord(result)) return result === rejection ? result : undefined;
  const told = Object.entries(result).filter(([name]) => endNames.has(name));
  return Object.fromEntries(
    told.map(([name, value]) => {
      // Later code checks only whether `stdout` is text, so the output itself is dropped.
      if (name === 'stdout') return [name, typeof value === 'string' ? '' : null];
      if (name === 'task') return [name, briefResult(value)];
      return [name, typeof value === 'object' ? null : value];
    }),
  );
}

/** Reads the end of a call: first from its row's fields, then, if the result failed, from the agent's sentences. */
export function endOfClaudeCodeResult(
  { toolDenialKind: kind, toolUseResult }: Fields,
  text: string,
  isError: boolean,
): Pick<Draft, 'end' | 'status' | 'task' | 'endedTasks'> {
  const details = isRecord(toolUseResult) ? toolUseResult : {};
  const { backgroundTaskId, isAsync, agentId, interrupted, stdout, returnCodeInterpretation } = details;
  const endedTasks = endedBy(details);
  if (isError) {
    const told = reportedEndOf(text, claudeCodeEndReports);
    // Without a user to ask, Claude Code records a call that needs approval as rejected by the user.
    const isUnasked = kind === 'user-rejected' && told === 'notAllowed';
    const known = isUnasked || typeof kind !== 'string' ? undefined : (denialKinds.get(kind) ?? 'skipped');
    const isCut = interrupted === true ? 'cancelled' : undefined;
    const isRejected = toolUseResult === rejection ? 'refused' : undefined;
    const end = known ?? told ?? isCut ?? isRejected;
    const code = end === undefined ? failedWith.exec(text)?.[1] : undefined;
    return { end, endedTasks, ...(code !== undefined && { status: Number(code) }) };
  }
  if (typeof backgroundTaskId === 'string') return { task: backgroundTaskId, endedTasks };
  if (isAsync === true && typeof agentId === 'string') return { task: agentId, endedTasks };
  if (interrupted === true) return { end: 'cancelled', endedTasks };
  // A failed command is an error, unless its program uses that exit status for another purpose.
  const isDone = typeof stdout === 'string' && returnCodeInterpretation === undefined;
  return { end: undefined, endedTasks, ...(isDone && { status: 0 }) };
}

const taskEnds: ReadonlyMap<unknown, ReportedEnd | undefined> = new Map<string, ReportedEnd | undefined>([
  ['completed', undefined],
  ['failed', undefined],
  ['killed', 'cancelled'],
  ['stopped', 'cancelled'],
]);

/** Returns the tasks that ended, as reported when their output was requested, or when they were stopped. */
function endedBy({ task, shellId, shell_id: killed, status, exitCode }: Fields): readonly EndedTask[] {
  if (typeof killed === 'string') return [{ id: killed, end: 'cancelled' }];
  const asked = isRecord(task) ? task : { task_id: shellId, status, exitCode };
  return endedTask(asked['task_id'], asked['status'], asked['exitCode']);
}

function endedTask(id: unknown, status: unknown, exitCode: unknown): readonly EndedTask[] {
  if (typeof id !== 'string' || !taskEnds.has(status)) return [];
  const end = taskEnds.get(status);
  const code = typeof exitCode === 'number' ? exitCode : status === 'failed' ? 1 : undefined;
  return [{ id, ...(end !== undefined && { end }), ...(code !== undefined && { status: code }) }];
}

/** Returns the tasks that have ended according to notifications in a text. */
export function tasksEndedIn(text: string): readonly EndedTask[] {
  return [...text.matchAll(/<task-notification>[^]*?<\/task-notification>/gu)].flatMap(([notification]) => {
    const id = /<task-id>([^<]+)<\/task-id>/u.exec(notification)?.[1];
    const status = /<status>([a-z]+)<\/status>/u.exec(notification)?.[1];
    const code = /\bexit code (\d{1,3})\b/u.exec(notification)?.[1];
    return endedTask(id, status, code === undefined ? undefined : Number(code));
  });
}
