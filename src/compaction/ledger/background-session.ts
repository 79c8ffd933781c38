import { isRecord } from '../../language/is-record.ts';
import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { parseShallow } from '../text/parse-json.ts';

/**
 * Commands of Codex that go on after their first output: the result names a session, and later calls with its id get the
 * rest of the output.
 */

const started = /^Process running with session ID (\d{1,12})$/mu;
const exited = /^Process exited with code (-?\d{1,3})$/mu;
/** Of a result, the part with these lines, in UTF-16 units. */
const searchedCharacters = 5_000;

/** The session in which a command goes on, by its id; undefined if it ended. */
export const startedSession = remembered(
  (result: Message): string | undefined => started.exec(headOf(result))?.[1],
);

/** The exit status of a command that ended in a session. */
export const sessionStatus = remembered((result: Message): number | undefined => {
  const status = exited.exec(headOf(result))?.[1];
  return status === undefined ? undefined : Number(status);
});

/** The session that a call asks for more output of. */
export const askedSession = remembered((call: ToolCall): string | undefined => {
  if (!call.function.arguments.includes('session_id')) return undefined;
  const input = parseShallow(call.function.arguments)?.value;
  const session = isRecord(input) ? input['session_id'] : undefined;
  return typeof session === 'number' || typeof session === 'string' ? String(session) : undefined;
});

function headOf(result: Message): string {
  return typedText(result).slice(0, searchedCharacters);
}
