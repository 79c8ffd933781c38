import { fromLangChain, toLangChain, type LangChainMessage } from '../shapes/langchain-messages.ts';
import type { ImportPeer, Peer, PreparePeer } from '../peer.ts';

type Create = new (fields: LangChainMessage) => LangChainMessage;
type CountTokens = (messages: readonly LangChainMessage[]) => number;

interface LangChain {
  readonly SystemMessage: Create;
  readonly HumanMessage: Create;
  readonly AIMessage: Create;
  readonly ToolMessage: Create;
  readonly countTokensApproximately: CountTokens;
  readonly ClearToolUsesEdit: new (config: object) => {
    apply(work: { readonly messages: LangChainMessage[]; readonly countTokens: CountTokens }): Promise<void>;
  };
  readonly trimMessages: (
    messages: readonly LangChainMessage[],
    options: object,
  ) => Promise<readonly LangChainMessage[]>;
}

async function load(importPeer: ImportPeer) {
  const langChain = (await importPeer('langchain')) as LangChain;
  const classes: Readonly<Record<string, Create>> = {
    system: langChain.SystemMessage,
    human: langChain.HumanMessage,
    ai: langChain.AIMessage,
    tool: langChain.ToolMessage,
  };
  const instances = (input: Parameters<PreparePeer>[0]) =>
    toLangChain(input.messages).map((fields) => new classes[fields.type]!(fields));
  return { langChain, instances };
}

/** Stands in for a missing message: `trimMessages` returns `undefined` where nothing fits. */
function withoutHoles(messages: readonly (LangChainMessage | undefined)[]): readonly LangChainMessage[] {
  return messages.filter((message) => message !== undefined);
}

/** Clears the results of all but the newest three calls, which is what it does by itself. */
export const langChainClearing: Peer = {
  id: 'langchain-clearing',
  title: 'LangChain `ClearToolUsesEdit`',
  packageName: 'langchain',
  settings: 'default (keeps 3 results), triggered at once',
  strength:
    "Anthropic's API does the same on the server, and it can clear the arguments of the calls as well.",
  async load(importPeer) {
    const { langChain, instances } = await load(importPeer);
    const { ClearToolUsesEdit, countTokensApproximately: countTokens } = langChain;
    return (input) => {
      const messages = instances(input);
      return {
        async compact() {
          await new ClearToolUsesEdit({ trigger: { tokens: 1 } }).apply({ messages, countTokens });
          return () => fromLangChain(messages);
        },
      };
    };
  },
};

/** Keeps the newest messages that fit, from a person's message on. */
export const langChainTrimming: Peer = {
  id: 'langchain-trimming',
  title: 'LangChain `trimMessages`',
  packageName: 'langchain',
  settings: 'last messages within the target, from a human message on',
  strength: 'It is one function on a list of messages, with partial messages and any token counter.',
  async load(importPeer) {
    const { langChain, instances } = await load(importPeer);
    const { trimMessages, countTokensApproximately: tokenCounter } = langChain;
    return (input) => {
      const messages = instances(input);
      const options = { maxTokens: input.target, tokenCounter, strategy: 'last', startOn: 'human' };
      return {
        async compact() {
          const trimmed = await trimMessages(messages, { ...options, includeSystem: true });
          return () => fromLangChain(withoutHoles(trimmed));
        },
      };
    };
  },
};

interface DeepAgents {
  readonly createSummarizationMiddleware: (options: object) => {
    wrapModelCall(
      request: object,
      handler: (request: { readonly messages: readonly LangChainMessage[] }) => Promise<unknown>,
    ): Promise<unknown>;
  };
}

const stubSummary = 'Summary of the conversation so far.';

/** A backend that keeps nothing: what was moved there is not part of what the model is sent. */
const backend = {
  write: (path: string) => Promise.resolve({ path }),
  edit: (path: string) => Promise.resolve({ path }),
  read: () => Promise.resolve({ content: '' }),
  ls: () => Promise.resolve({ files: [] }),
};

/** Summarises what is older than a tenth of the window, its own setting for a model whose window it knows. */
export const deepAgents: Peer = {
  id: 'deepagents',
  title: 'deepagents summarization middleware',
  packageName: 'deepagents',
  settings: 'keeps the newest tenth of the window; the model is a stub that returns one sentence',
  strength:
    'It moves the whole history into a file that the agent can read, clips the arguments of old writes, and has a real model write the summary.',
  async load(importPeer) {
    const { instances } = await load(importPeer);
    const { createSummarizationMiddleware } = (await importPeer('deepagents')) as DeepAgents;
    return (input) => {
      const model = {
        profile: { maxInputTokens: input.window },
        invoke: () => Promise.resolve({ text: stubSummary, content: stubSummary }),
      };
      const all = instances(input);
      const systemMessages = all.filter(({ type }) => type === 'system');
      const messages = all.filter(({ type }) => type !== 'system');
      return {
        async compact() {
          const middleware = createSummarizationMiddleware({
            model,
            backend,
            trigger: { type: 'tokens', value: 1 },
            keep: { type: 'fraction', value: 0.1 },
          });
          let sent: readonly LangChainMessage[] = [];
          await middleware.wrapModelCall({ messages, state: {}, model, tools: [] }, (request) => {
            sent = request.messages;
            return Promise.resolve({});
          });
          return () => fromLangChain([...systemMessages, ...sent]);
        },
      };
    };
  },
};
