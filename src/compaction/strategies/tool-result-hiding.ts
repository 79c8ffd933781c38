import { blocksOf } from '../exchange.ts';
import { errorsIn } from '../ledger/result-facts.ts';
import { isTyped, textOf, type Message } from '../message.ts';
import type { PlannedRewrite } from '../plan.ts';
import type { OptionsOf } from './options.ts';
import { defineStrategy, planned, unchanged, type StrategyInput, type StrategyPorts } from './strategy.ts';

/** Turns whose errors stay: what failed that recently is still being worked on. */
const turnsWithErrors = 3;
/** An error stays only up to this size; a longer result is a log that happens to mention one. */
const largestKeptError = 1_000;

export const hidingOptions = {
  preserveRecentGroups: {
    type: 'integer',
    default: 5,
    minimum: 0,
    maximum: 1000,
    description: 'Newest exchanges whose tool results stay. Parallel calls are one exchange.',
  },
  placeholder: {
    type: 'string',
    default: '[Result of {tool} hidden: {tokens} tokens. recall("{id}") returns it.]',
    description: 'Text in place of a hidden result. `{id}`, `{tool}` and `{tokens}` are filled in.',
  },
  minTokens: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    description: 'Results smaller than this stay. A result no larger than its placeholder always stays.',
  },
} as const;

export const toolResultHiding = defineStrategy({
  id: 'tool-result-hiding',
  title: 'Tool Result Hiding',
  description:
    'Replaces the results of all but the newest exchanges by a placeholder. Needs no model. Keeps every message, call and decision; loses the text of old results until the agent recalls them.',
  needsModel: false,
  options: hidingOptions,
  async plan(input, ports) {
    const { actions } = await planHiding(input, ports);
    return actions.length > 0
      ? planned({ actions })
      : unchanged('No tool result is old and large enough to hide.');
  },
});

/** Results to hide, oldest first, and the tokens that this would free. */
export interface Hiding {
  readonly actions: readonly PlannedRewrite[];
  readonly freedTokens: number;
}

export async function planHiding(
  input: StrategyInput<OptionsOf<typeof hidingOptions>>,
  ports: Pick<StrategyPorts, 'meter'>,
): Promise<Hiding> {
  const { view, options, protectedIds } = input;
  const exchanges = blocksOf(view).filter((block) => block.isExchange);
  const older = exchanges.slice(0, Math.max(0, exchanges.length - options.preserveRecentGroups));
  const errorsStayFrom = startOfRecentTurns(view, turnsWithErrors);
  const isPlaceholder = placeholderTest(options.placeholder);

  const candidates = older.flatMap(({ start, end }) =>
    view.slice(start + 1, end).flatMap((result, offset) => {
      const index = start + 1 + offset;
      if (protectedIds.has(result.id) || result.truncation !== undefined) return [];
      if (isPlaceholder(textOf(result.content))) return [];
      return [{ result, tool: toolOf(view[start], result), mayBeError: index >= errorsStayFrom }];
    }),
  );
  const sizes = await ports.meter.measureEach(candidates.map(({ result }) => result));
  const hidden = candidates.flatMap(({ result, tool, mayBeError }, index): Message[] => {
    const tokens = sizes[index]?.total ?? 0;
    if (tokens < options.minTokens) return [];
    const isError = result.isError === true || errorsIn(textOf(result.content)).length > 0;
    if (mayBeError && isError && tokens <= largestKeptError) return [];
    const placeholder = fill(options.placeholder, { id: result.id, tool, tokens: String(tokens) });
    return [
      {
        ...result,
        content: placeholder,
        truncation: { fate: 'hide', originalTokens: tokens },
      },
    ];
  });
  const hiddenSizes = await ports.meter.measureEach(hidden);
  let freedTokens = 0;
  const actions = hidden.flatMap(({ id, content, truncation }, index): PlannedRewrite[] => {
    const originalTokens = truncation?.originalTokens ?? 0;
    const freed = originalTokens - (hiddenSizes[index]?.total ?? 0);
    if (freed <= 0) return [];
    freedTokens += freed;
    return [{ kind: 'hide', id, placeholder: textOf(content), originalTokens, reason: 'old tool result' }];
  });
  return { actions, freedTokens };
}

/** Index of the first message of the last turns; a turn goes from one typed message to the next. */
function startOfRecentTurns(view: readonly Message[], turns: number): number {
  const starts = view.flatMap((message, index) => (isTyped(message) ? [index] : []));
  return starts.at(-turns) ?? 0;
}

function toolOf(caller: Message | undefined, result: Message): string {
  const call = caller?.tool_calls?.find(({ id }) => id === result.tool_call_id);
  return call?.function.name ?? result.name ?? 'the tool';
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(id|tool|tokens)\}/g, (whole, name: string) => values[name] ?? whole);
}

/**
 * Recognises a text that the template made, whatever was filled in: a view that was exported and imported again
 * has only the text left to tell.
 */
function placeholderTest(template: string): (text: string) => boolean {
  const pattern = template
    .split(/\{(?:id|tool|tokens)\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^\\n]{0,200}');
  const expression = new RegExp(`^${pattern}$`);
  return (text) => expression.test(text);
}
