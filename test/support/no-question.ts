/** For actions that are expected to ask nothing once they have begun. */
export const noQuestion = (): Promise<never> => Promise.reject(new Error('A question was asked.'));
