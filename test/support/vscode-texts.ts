/** A stub of `vscode.l10n` and `vscode.env` for tests: `vi.mock('vscode', …)`. */
export const env = { language: 'en' };

export const l10n = {
  t: (text: string, ...values: readonly (string | number)[]): string =>
    text.replace(/\{(\d+)\}/g, (_placeholder, index: string) => String(values[Number(index)])),
};
