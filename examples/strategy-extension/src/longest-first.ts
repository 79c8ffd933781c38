import type { CustomInput, CustomPorts, RegisteredStrategy } from 'context-budget/api';

/** Messages at the end whose results the model is still working with. */
const newest = 4;
/** Tokens below which a result is not worth hiding. */
const shortest = 200;

/** Hides the longest tool results until the context is small enough, and at least one. */
export const longestFirst: RegisteredStrategy = {
  id: 'context-budget-examples.long-results-first/longest-first',

  async plan({ view, protectedIds, tokens, target = 0 }: CustomInput, { meter }: CustomPorts) {
    const results = view
      .slice(0, -newest)
      .filter(
        ({ id, role, truncation }) =>
          role === 'tool' && truncation === undefined && !protectedIds.includes(id),
      );
    const sizes = await meter.count(results.map(({ content }) => JSON.stringify(content)));
    const longest = results
      .map(({ id }, index) => ({ id, size: sizes[index] ?? 0 }))
      .filter(({ size }) => size >= shortest)
      .sort((one, other) => other.size - one.size);

    const actions = [];
    let left = tokens;
    for (const { id, size } of longest) {
      if (actions.length > 0 && left <= target) break;
      const placeholder = `[A result of ${size} tokens; recall("${id}") returns it.]`;
      actions.push({ kind: 'hide', id, placeholder, reason: 'one of the longest results' });
      left -= size;
    }
    if (actions.length === 0) return { kind: 'unchanged', reason: 'No old result is long.' };
    return { kind: 'plan', plan: { actions } };
  },
};
