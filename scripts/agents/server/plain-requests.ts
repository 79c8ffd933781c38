/** A message of a conversation of plain texts. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** The way in which one wire asks for a streamed reply. */
interface PlainRequest {
  readonly path: string;
  readonly body: (said: readonly Said[]) => object;
}

const common = { model: 'a-model', stream: true };
const spoken = (said: readonly Said[]) => said.map(({ role, text }) => ({ role, content: text }));

/** Requests for a streamed reply, over each wire. */
export const plainRequests = {
  chat: {
    path: '/v1/chat/completions',
    body: (said) => ({ ...common, messages: spoken(said) }),
  },
  responses: {
    path: '/v1/responses',
    body: (said) => ({ ...common, input: spoken(said) }),
  },
  messages: {
    path: '/v1/messages',
    body: (said) => ({ ...common, max_tokens: 1_000, messages: spoken(said) }),
  },
  gemini: {
    path: '/v1beta/models/a-model:streamGenerateContent?alt=sse',
    body: (said) => ({
      contents: said.map(({ role, text }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: [{ text }],
      })),
    }),
  },
} as const satisfies Readonly<Record<string, PlainRequest>>;
