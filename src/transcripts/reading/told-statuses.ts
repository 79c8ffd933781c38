import { isRecord } from '../../language/is-record.ts';

/**
 * Exit statuses that agents write before or after the output, for files without a field for them. Each is read only
 * where its agent puts it, so that similar text in the output is ignored.
 */

/** Characters at the end of a result that are searched for a trailing status. */
const tail = 600;

/** Lines that Gemini CLI and Qwen Code write below the output (`tools/shell.ts`). */
const geminiTail = /\nExit Code: (-?\d{1,3})(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*$/u;
const geminiWrapper = '</untrusted_context>';
const geminiHead = /^(?:<untrusted_context>\s*)?Output: /u;
const geminiTrouble = /\n(?:Error|Signal|Exit Code): /u;

/** The status in a result of `run_shell_command`; newer versions of Gemini CLI leave 0 out. */
export function geminiStatus(text: string): number | undefined {
  const end = text.slice(-tail).trimEnd().replace(geminiWrapper, '').trimEnd();
  const code = geminiTail.exec(end)?.[1];
  if (code !== undefined) return Number(code);
  return geminiHead.test(text) && !geminiTrouble.test(end) ? 0 : undefined;
}

/** The status in a result of Pi's `bash`, which fails for every status but 0 (`tools/bash.ts`). */
export function piStatus(text: string, isError: boolean): number | undefined {
  if (!isError) return 0;
  return numberOf(/(?:^|\n)Command exited with code (-?\d{1,3})\s*$/u.exec(text.slice(-tail))?.[1]);
}

/** The status in a result of Copilot CLI: its last line. */
export function copilotStatus(text: string): number | undefined {
  const last =
    /<(?:exited|(?:command with )?(?:shellId|id): \S{1,100} (?:completed|exited)) with exit code (-?\d{1,3})>\s*$/u;
  return numberOf(last.exec(text.slice(-tail))?.[1]);
}

/** Characters at the beginning of a result that are searched for a leading status; they may include a command line. */
const searched = 4_000;

/** The line of Roo Code above the output, below that of a failed command. */
const rooHead =
  /^(?:\[[^\n]{0,2000}\] Result:\s+)?Command executed in terminal[^\n]{0,2000}?(?:\n|\. )Exit code: (\d{1,3})(?:\n|$)/u;

/** The status in a result of Roo Code. */
export function rooStatus(text: string): number | undefined {
  return numberOf(rooHead.exec(text.slice(0, searched))?.[1]);
}

/**
 * The status in a result of `run_commands` of Cline's command line: a list with an entry for each command.
 *
 * @returns undefined if the commands ended differently
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
