import { parseShallow } from '../../../compaction/text/parse-json.ts';
import { isRecord } from '../../../language/is-record.ts';
import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { codexEndReports, reportedEndOf } from '../../reading/reported-ends.ts';
import type { Draft } from '../../reading/transcript-format.ts';

/** Lines before the output of a command, up to `Output:`. */
const header = /^(?:Command: |Chunk ID: |Wall time: |Exit code: |Process )[^]*?\nOutput:/u;

/**
 * Reads the end of a call from the text for the model: the header of a command, the object of older versions, or one
 * of the agent's sentences.
 *
 * @param input arguments of the call as JSON
 */
export function endOfCodexResult(
  content: string,
  input: string | undefined,
): Pick<Draft, 'end' | 'status' | 'task' | 'endedTasks'> {
  const document = content.startsWith('{"output":') ? parseShallow(content)?.value : undefined;
  if (isRecord(document)) {
    const { output, metadata } = document;
    const { exit_code: code } = fieldsOf(metadata);
    const end = typeof output === 'string' ? reportedEndOf(output, codexEndReports) : undefined;
    return { end, status: typeof code === 'number' ? code : undefined };
  }
  const told = reportedEndOf(content, codexEndReports);
  if (told !== undefined) return { end: told };
  const head = header.exec(content)?.[0] ?? '';
  const task = /^Process running with session ID (\d+)$/mu.exec(head)?.[1];
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/mu.exec(head)?.[1];
  const status = code === undefined ? undefined : Number(code);
  const { session_id: session } = fieldsOf(parseShallow(input ?? '')?.value);
  const isOver = status !== undefined && typeof session === 'number';
  return {
    status,
    // A call that asks an earlier command for more output does not start a new one.
    task: session === undefined ? task : undefined,
    endedTasks: isOver ? [{ id: String(session), status }] : undefined,
  };
}

/** Reads the end of a call from an event. */
export function endOfCodexEvent({ status, exit_code: code }: Fields): Pick<Draft, 'end' | 'status'> {
  return {
    ...(status === 'declined' && { end: 'refused' }),
    ...(typeof code === 'number' && code >= 0 && { status: code }),
  };
}
