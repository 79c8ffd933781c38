/** What of `vscode` says texts, in English, for code that needs nothing else of it: `vi.mock('vscode', …)`. */
export const l10n = {
  t: (text: string, ...values: readonly (string | number)[]): string =>
    text.replace(/\{(\d+)\}/g, (_placeholder, index: string) => String(values[Number(index)])),
};
