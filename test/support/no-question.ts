/** For actions that must not ask a question once they have begun. */
export const noQuestion = (): Promise<never> => Promise.reject(new Error('A question was asked.'));
