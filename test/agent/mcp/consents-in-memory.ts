import type { ConsentState, ConsentStore } from '../../../src/agent/mcp/consents.ts';

/** Consents that are kept while the test runs. */
export function consentsInMemory(): ConsentStore {
  let state: ConsentState = { servers: {}, secrets: {} };
  return {
    read: () => state,
    write: (given) => {
      state = given;
      return Promise.resolve();
    },
  };
}
