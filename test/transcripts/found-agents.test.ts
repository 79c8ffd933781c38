import { describe, expect, it } from 'vitest';
import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import { knownAgent } from '../../src/transcripts/found-agents.ts';
import { unseenSizes } from '../../src/transcripts/unseen-sizes.ts';

const known = (session: { readonly agent?: string; readonly format?: string }) =>
  knownAgent(session, (model) => factsOfModel(model));

describe('knownAgent', () => {
  it('returns the agent of the format unless the file names another agent', () => {
    expect(known({ format: 'opencode' }).measured).toBe(unseenSizes['opencode']);
    expect(known({ format: 'opencode', agent: 'kilo-code' }).measured).toBe(unseenSizes['kilo-code']);
    expect(known({ format: 'constructor' }).measured).toBeUndefined();
  });

  it('uses the usual window of a model unless the agent has its own windows', () => {
    const [chat, cli] = ['copilot-chat', 'copilot-cli'].map((format) => known({ format }));
    expect(chat!.factsOf('claude-sonnet-4-5').window).toBeUndefined();
    expect(cli!.factsOf('claude-sonnet-4-5').window).toBe(200_000);
  });
});
