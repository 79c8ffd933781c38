import { percentText } from '../../language/percent.ts';
import type { Fullness } from '../../insights/context-fullness.ts';
import type { WindowSource } from '../../insights/context-limits.ts';

const sources: Readonly<Record<WindowSource, string>> = {
  file: 'Its file states the window.',
  settings: "The agent's settings give the window.",
  compaction: 'The window follows from the size at which it compacted automatically.',
  usage: 'A request was larger than the usual window of the model.',
  model: 'This is the usual window of the model.',
};

/**
 * Describes in English how full a context is, for a model or a terminal: sizes in the first line, evidence in the
 * second.
 * @param written formats a number of tokens
 */
export function fullnessLines(
  { tokens, basis, window, alternatives, source, compactsAt, unseen }: Fullness,
  written: (tokens: number) => string = String,
): readonly [sizes: string, evidence: string] {
  const windows = window === undefined ? [] : [window, ...alternatives];
  const share = (whole: number) => percentText(tokens / whole, 'en');
  const size =
    windows.length === 0
      ? `${written(tokens)} tokens of an unknown window`
      : `${written(tokens)} of ${windows.map(written).join(' or ')} tokens (${windows.map(share).join(' or ')})`;
  const trigger =
    compactsAt === undefined
      ? ''
      : `, ${share(compactsAt)} of the ${written(compactsAt)} at which it compacts by itself`;
  const lacked = unseen === undefined ? '' : `${written(unseen.tokens)} tokens are not in the file`;
  const evidence = [
    basis === 'reported'
      ? 'As reported for the last request and its reply, plus our count of everything after them.'
      : 'Our count, because there is no report on the current context.',
    ...(unseen === undefined
      ? []
      : [
          unseen.measuredWith === undefined
            ? `${lacked} (system prompt, tool definitions).`
            : `${lacked} (system prompt, tool definitions), as measured with version ${unseen.measuredWith} of the agent.`,
        ]),
    ...(source === undefined
      ? []
      : [alternatives.length > 0 ? 'The model may have either window.' : sources[source]]),
  ];
  return [`${size}${trigger}.`, evidence.join(' ')];
}
