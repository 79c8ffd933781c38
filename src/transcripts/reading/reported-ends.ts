import { interruptedResultText } from '../../compaction/messages/exchange.ts';
import type { ReportedEnd } from '../../compaction/messages/ledger.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * Sentences by which agents report to the model that a call did not complete. They are matched at the beginning of a
 * result, where the agent writes them before any tool output.
 *
 * A format uses the sentences of its agent if the file has no field with the same information.
 */
type EndReport = readonly [opening: string | RegExp, end: ReportedEnd];

/** @returns the end that belongs to the first matching sentence */
export function reportedEndOf(text: string, tellings: readonly EndReport[]): ReportedEnd | undefined {
  const beginning = text.slice(0, searched).trimStart();
  return tellings.find(([opening]) =>
    typeof opening === 'string' ? beginning.startsWith(opening) : opening.test(beginning),
  )?.[1];
}

/** Number of characters at the beginning of a result that are searched. They may include a command line. */
const searched = 4_000;

/** Claude Code 1.0 to 2.1. If there is no user to ask, a command counts as not allowed, and not as refused. */
export const claudeCodeEndReports: readonly EndReport[] = [
  ["The user doesn't want to proceed with this tool use", 'refused'],
  ["The user doesn't want to take this action right now", 'skipped'],
  ['Permission for this tool use was denied. The tool use was rejected', 'refused'],
  ['The user has declined this action', 'refused'],
  ['The agent proposed a plan that was rejected by the user', 'refused'],
  ['User rejected tool use', 'refused'],
  ['<tool_use_error>User rejected tool use', 'refused'],
  [
    /^Permission (?:for this action|to (?:use|read|edit|write|search)) [^]*?(?:denied|declined)/u,
    'notAllowed',
  ],
  ['Claude requested permissions to ', 'notAllowed'],
  ['This command requires approval', 'notAllowed'],
  [/^This (?:Bash )?command contains /u, 'notAllowed'],
  ['This action was blocked by ', 'notAllowed'],
  ['Auto mode could not evaluate this action', 'notAllowed'],
  [/^\S{1,80} is temporarily unavailable, so auto mode cannot determine/u, 'notAllowed'],
  [/^\S{1,40} (?:to|in|from|with) '[^'\n]{0,1000}' was blocked\. For security/u, 'notAllowed'],
  [/^(?:Error: )?PreToolUse:\S{1,200} hook /u, 'notAllowed'],
  [
    /^(?:Hook PreToolUse:|Execution stopped by PreToolUse|\S{1,200} operation blocked by hook)/u,
    'notAllowed',
  ],
  [
    /^<tool_use_error>(?:Sibling tool call errored|Cancelled: |InputValidationError|Blocked|(?:Error: )?(?:No such tool|Streaming fallback))/u,
    'skipped',
  ],
  [/^\[Request interrupted by user/u, 'cancelled'],
  [/^(?:Exit code \d{1,3}\s+)?Command timed out after /u, 'cancelled'],
  ['[Tool result missing due to internal error]', 'unanswered'],
];

/** Codex: `core/src/tools` and `core/src/exec_policy.rs` of versions up to 0.169. */
export const codexEndReports: readonly EndReport[] = [
  [/^(?:exec command|patch|shell command) rejected by user/u, 'refused'],
  [/^user (?:rejected|cancelled) MCP tool call/u, 'refused'],
  [/^exec_command failed[^]{0,3000}?Rejected\(\\*"(?:exec command )?rejected by user/u, 'refused'],
  [/^exec_command failed[^]{0,3000}?Rejected\(/u, 'notAllowed'],
  ['exec_command failed', 'skipped'],
  [/^`[^]{0,3000}?` rejected: /u, 'notAllowed'],
  ['patch rejected: ', 'notAllowed'],
  ['Command blocked by PreToolUse hook', 'notAllowed'],
  ['Tool call blocked by PreToolUse hook', 'notAllowed'],
  ['This action was rejected due to unacceptable risk', 'notAllowed'],
  ['approval required by policy', 'notAllowed'],
  ['approval policy is ', 'notAllowed'],
  ['rejected by configuration', 'notAllowed'],
  ['unsupported call: ', 'skipped'],
  ['failed to parse function arguments', 'skipped'],
  [/^(?:Wall time: [\d.]{1,12} seconds\s+)?aborted(?: by user|$)/u, 'cancelled'],
  [
    /^(?:Exit code: \d{1,3}\s+Wall time: [\d.]{1,12} seconds\s+(?:Total output lines: \d+\s+)?Output:\s+)?command timed out after \d/u,
    'cancelled',
  ],
];

/** Gemini CLI and Qwen Code: `scheduler`, `hook-utils.ts` and `tools/shell.ts` of version 0.61. */
export const geminiEndReports: readonly EndReport[] = [
  [/^\[Operation Cancelled\] Reason: User (?:denied|did not allow)/u, 'refused'],
  [/^\[Operation Cancelled\] Reason: (?:User cancelled operation|Operation cancelled$)/u, 'skipped'],
  ['[Operation Cancelled]', 'cancelled'],
  ['Command was cancelled by user before it could start', 'skipped'],
  ['Command was cancelled by user', 'cancelled'],
  ['Command was automatically cancelled because it exceeded the timeout', 'cancelled'],
  ['Tool execution denied by policy', 'notAllowed'],
  ['Qwen Code requires permission to use ', 'notAllowed'],
  [/^Tool "[^"\n]{1,200}" is denied/u, 'notAllowed'],
  [/^Tool execution blocked: /u, 'notAllowed'],
  ['Agent execution stopped by hook', 'notAllowed'],
  [/^Command (?:is running in background|moved to background)/u, 'running'],
  [/^Background command started\b/u, 'running'],
];

/** opencode and Kilo Code: `permission`, `session/processor.ts` and `tool/bash.ts`. */
export const opencodeEndReports: readonly EndReport[] = [
  [/^(?:Error: )?The user rejected permission to use this/u, 'refused'],
  [/^(?:Error: )?The user dismissed this question/u, 'refused'],
  [/^(?:Error: )?The user has specified a rule which prevents you/u, 'notAllowed'],
  ['This agent is not allowed to use this tool', 'notAllowed'],
  ['Tool execution aborted', 'cancelled'],
  ['Tool execution was interrupted', 'cancelled'],
];

/** Cline, Roo Code and Kilo Code as extensions, and Cline's command line. Sentences in JSON are Roo Code's. */
export const clineEndReports: readonly EndReport[] = [
  [/^(?:\[[^\n]{0,2000}\] Result:\s+)?The user denied this operation/u, 'refused'],
  [/^\{"status":"denied"/u, 'refused'],
  [/^(?:\{"error":")?User rejected the tool call/u, 'refused'],
  [/^(?:\{"error":")?Tool \\?"[^"\n]{1,200}" was not approved/u, 'refused'],
  [
    /^(?:\{"error":")?Tool \\?"[^"\n]{1,200}" (?:is disabled by policy|requires approval but no approval callback)/u,
    'notAllowed',
  ],
  [/^(?:\{"error":")?Tool [^\n"]{1,200} was blocked by a runtime hook/u, 'notAllowed'],
  [/^\{"status":"error","type":"access_denied"/u, 'notAllowed'],
  [/^Access to [^\n]{1,1000} is blocked by the \.clineignore/u, 'notAllowed'],
  ['Command execution blocked by CLINE_COMMAND_PERMISSIONS', 'notAllowed'],
  [/^Skipping (?:MCP )?tool [^\n]{0,2000} due to user rejecting a previous tool/u, 'skipped'],
  [/^(?:MCP tool|Tool) [^\n]{0,2000} was interrupted and not executed/u, 'skipped'],
  ['This tool was not executed', 'skipped'],
  ['Tool call was rejected before execution', 'skipped'],
  ['Task was interrupted before this tool call could be completed', 'unanswered'],
  [/^(?:\{"error":")?Command was aborted/u, 'cancelled'],
  [/^(?:\{"error":")?Command (?:execution )?timed out/u, 'cancelled'],
  ['Command is still running in ', 'running'],
];

/** Copilot CLI, and Copilot Chat in VS Code (`languageModelToolsService.ts`). */
export const copilotEndReports: readonly EndReport[] = [
  ['The user rejected this tool call', 'refused'],
  ['The user chose to skip the tool call', 'refused'],
  ['The user cancelled the tool call', 'refused'],
  ['Permission denied and could not request permission from user', 'notAllowed'],
  [/^(?:The tool call was )?[Dd]enied by /u, 'notAllowed'],
  [/^Command is running in terminal with ID=/u, 'running'],
  [/^<command started in (?:background|detached background)/u, 'running'],
  [/^<command with (?:shellId|id): \S{1,100} is still running/u, 'running'],
];

/** Pi: `agent-loop.ts` and the tools of version 0.73. */
export const piEndReports: readonly EndReport[] = [
  ['Skipped due to queued user message', 'skipped'],
  ['Tool execution was blocked', 'notAllowed'],
  ['Blocked by user', 'refused'],
  ['Operation aborted', 'cancelled'],
  ['No result provided', 'unanswered'],
];

/** SWE-agent: `agents.py` and `tools.py` of version 1. */
export const sweAgentEndReports: readonly EndReport[] = [
  [/^Operation '[^'\n]{0,1000}' is not supported by this environment/u, 'notAllowed'],
  [/^The command '[^]{0,3000}?' was cancelled because it took more than /u, 'cancelled'],
  ['EXECUTION TIMED OUT', 'cancelled'],
];

/** Sentences of any agent, for export formats that contain only text. */
export const anyEndReports: readonly EndReport[] = [
  // Text of our own agent for the model. Earlier sessions say "person".
  [/^The (?:user|person) did not allow this, and nothing was done/u, 'refused'],
  [interruptedResultText, 'unanswered'],
  ...claudeCodeEndReports,
  [/^Command (?:running in background|was manually backgrounded by user) with ID: /u, 'running'],
  ...codexEndReports,
  ...geminiEndReports,
  ...opencodeEndReports,
  ...clineEndReports,
  ...copilotEndReports,
  ...sweAgentEndReports,
];

/**
 * Exit statuses that agents write before or after the output, for files without a field for the status. A status is
 * read only where its agent writes it, so that similar text in the output is ignored.
 */

/** Characters at the end of a result that are searched for a trailing status. */
const tail = 600;

/** Lines that Gemini CLI and Qwen Code write below the output (`tools/shell.ts`). */
const geminiTail = /\nExit Code: (-?\d{1,3})(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*$/u;
const geminiWrapper = '</untrusted_context>';
const geminiHead = /^(?:<untrusted_context>\s*)?Output: /u;
const geminiTrouble = /\n(?:Error|Signal|Exit Code): /u;

/** Reads the status in a result of `run_shell_command`. Newer versions of Gemini CLI do not write a 0. */
export function geminiStatus(text: string): number | undefined {
  const end = text.slice(-tail).trimEnd().replace(geminiWrapper, '').trimEnd();
  const code = geminiTail.exec(end)?.[1];
  if (code !== undefined) return Number(code);
  return geminiHead.test(text) && !geminiTrouble.test(end) ? 0 : undefined;
}

/** Reads the status in a result of Pi's `bash`, which fails for every status except 0 (`tools/bash.ts`). */
export function piStatus(text: string, isError: boolean): number | undefined {
  if (!isError) return 0;
  return numberOf(/(?:^|\n)Command exited with code (-?\d{1,3})\s*$/u.exec(text.slice(-tail))?.[1]);
}

/** Reads the status in the last line of a result of Copilot CLI. */
export function copilotStatus(text: string): number | undefined {
  const last =
    /<(?:exited|(?:command with )?(?:shellId|id): \S{1,100} (?:completed|exited)) with exit code (-?\d{1,3})>\s*$/u;
  return numberOf(last.exec(text.slice(-tail))?.[1]);
}

/** Line that Roo Code writes above the output. A failed command's status is on the line below it. */
const rooHead =
  /^(?:\[[^\n]{0,2000}\] Result:\s+)?Command executed in terminal[^\n]{0,2000}?(?:\n|\. )Exit code: (\d{1,3})(?:\n|$)/u;

/** Reads the status in a result of Roo Code. */
export function rooStatus(text: string): number | undefined {
  return numberOf(rooHead.exec(text.slice(0, searched))?.[1]);
}

/**
 * Reads the status in a result of `run_commands` of Cline's command line: a list with an entry for each command.
 *
 * @returns undefined if the commands have different statuses
 */
export function clineStatus(content: unknown): number | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const codes = new Set((content as readonly unknown[]).map(entryStatus));
  return codes.size === 1 ? [...codes][0] : undefined;
}

function entryStatus(entry: unknown): number | undefined {
  if (!isRecord(entry) || typeof entry['query'] !== 'string') return undefined;
  const { success, error } = entry;
  if (success === true) return 0;
  if (typeof error !== 'string') return undefined;
  return numberOf(/^Command exited with code (-?\d{1,3})$/u.exec(error)?.[1]);
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
