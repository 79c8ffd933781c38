import type { SaidPart } from '../../../compaction/messages/typed-parts.ts';

/** The extension's text before the tags around typed text; usually empty. */
const typedOpening =
  /^(?:(?:The user denied this operation and provided the following feedback|The user has provided feedback on the results|You seem to be having trouble proceeding|New instructions for task continuation|New message to respond to)[^<\n]{0,200}\s{0,9}|\[TASK RESUMPTION\][^<]{0,2000})?(?=<(?:task|feedback|answer|user_message)>)/u;
/** Text of a workflow or a command, before the task. */
const instructions = /^<explicit_instructions[\s>]/u;
/** Beginning of the result of a tool that the model called in its text. */
const resultOpening = /^\[(?<tool>\w+)(?: [^\n]*)?\] Result:/u;
/** Tools whose results are the user's answers. */
const answered: ReadonlySet<string> = new Set([
  'ask_followup_question',
  'attempt_completion',
  'plan_mode_respond',
  'new_task',
  'condense',
]);
/** Tools whose results begin with words of the program, so a refusal in a result is real. */
const refused: ReadonlySet<string> = new Set([
  'execute_command',
  'write_to_file',
  'replace_in_file',
  'apply_diff',
  'insert_content',
  'search_and_replace',
]);

/**
 * Marks the untyped parts of a message with the user role. Typed text is in tags, at the beginning of a part or after
 * the program's introduction. Tool output may contain the same tags. Sources: `src/core/prompts/responses.ts` and
 * `src/core/mentions/index.ts` of Cline and Roo Code.
 *
 * @param isFirst true for the task itself, even without tags
 */
export function saidInTask(parts: readonly SaidPart[], isFirst: boolean): readonly SaidPart[] {
  const isMarked = parts.some(({ text }) => typedOpening.test(text.trimStart()));
  let tool: string | undefined;
  return parts.map((part, index): SaidPart => {
    const { text } = part;
    // A message contains the result of one tool; text that looks like further results belongs to it.
    const opening = tool === undefined ? resultOpening.exec(text) : null;
    tool ??= opening?.groups?.['tool'];
    const said = text.slice(opening?.[0].length ?? 0).trimStart();
    const typedAt = typedOpening.exec(said)?.[0].length;
    const isAnswer = tool === undefined || answered.has(tool);
    if (
      typedAt !== undefined &&
      (isAnswer || (refused.has(tool ?? '') && said.startsWith('The user denied')))
    )
      return { text, from: text.length - said.length + typedAt };
    const isTask = tool === undefined && (instructions.test(said) || (isFirst && !isMarked && index === 0));
    return isTask ? part : { text, isData: true };
  });
}
