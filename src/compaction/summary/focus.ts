/** What a summary should pay attention to: what the option says for every one, and what was asked for this one. */
export function focusOf(input: {
  readonly options: { readonly focus: string };
  readonly focus: string | undefined;
}): string | undefined {
  return [input.options.focus, input.focus].filter((focus) => focus).join('\n') || undefined;
}
