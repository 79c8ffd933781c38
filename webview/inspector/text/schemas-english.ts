/** The inspector's English for the definitions of tools. */
export const schemasEnglish = {
  schemas: {
    title: 'Tool definitions',
    total: (tokens: string) => `${tokens} tokens in every request`,
    saved: (tokens: string) => `On demand: ${tokens} tokens saved per request.`,
    price: (tokens: string) =>
      `Switching changes the tool list, so the next request writes all ${tokens} tokens to the prompt cache again.`,
    freeOnDemand: 'Switching tools that are found on demand leaves the prompt cache as it is.',
    builtIn: 'Built-in tools',
    server: (name: string) => `MCP server ${name}`,
    switchServer: (name: string) => `Tools of the MCP server ${name}`,
    on: (on: string, all: string) => (on === all ? `${all} on` : `${on} of ${all} on`),
    onDemand: 'on demand',
    tokens: (tokens: string) => `${tokens} tokens`,
    uses: (count: number, text: string) =>
      count === 0 ? 'not used yet' : count === 1 ? 'used once' : `used ${text} times`,
    fixed: 'Always on: a compacted conversation refers to it.',
  },
};

export type SchemasStrings = typeof schemasEnglish;
