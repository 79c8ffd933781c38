/** A stub of `vscode.env` for tests of code that uses nothing else: `vi.mock('vscode', …)`. */
export const env = { language: 'en' };
