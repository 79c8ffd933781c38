/** Rejects questions. For actions that must not ask anything after they have begun. */
export const noQuestion = (): Promise<never> => Promise.reject(new Error('A question was asked.'));
