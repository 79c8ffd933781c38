/** Refuses questions of actions that must not ask any once they have begun. */
export const noQuestion = (): Promise<never> => Promise.reject(new Error('A question was asked.'));
