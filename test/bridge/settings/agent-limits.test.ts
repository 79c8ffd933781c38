import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claudeCodeLimits,
  codexLimits,
  copilotCliLimits,
  geminiLimits,
  opencodeLimits,
  qwenCodeLimits,
  type ReadSettings,
} from '../../../src/bridge/settings/agent-limits.ts';

const read = (settings: Partial<ReadSettings>): ReadSettings => ({
  configs: [],
  environment: {},
  model: undefined,
  ...settings,
});

describe('limits in the settings of', () => {
  describe('Claude Code', () => {
    const limits = (settings: Partial<ReadSettings>) =>
      claudeCodeLimits(read({ model: 'claude-opus-4-6', ...settings }));

    it.each<[string, Partial<ReadSettings>, object]>([
      [
        'the long window if it is set for the model in use',
        { configs: [{ model: 'opus[1m]' }] },
        { window: 1_000_000 },
      ],
      [
        'unknown if the long window is set for another model',
        { configs: [{ model: 'sonnet[1m]' }] },
        { window: undefined },
      ],
      [
        'the window of the model in the environment',
        { environment: { ANTHROPIC_MODEL: 'claude-opus-4-6[1m]' } },
        { window: 1_000_000 },
      ],
      [
        'the short window if the long window is turned off',
        { configs: [{ model: 'opus[1m]' }], environment: { CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' } },
        { window: 200_000 },
      ],
      [
        'the size that replaces the window',
        { configs: [{ autoCompactWindow: 400_000 }] },
        { compactsAt: 400_000 },
      ],
      [
        'taken from the variable before the setting',
        {
          configs: [{ autoCompactWindow: 400_000 }],
          environment: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300000' },
        },
        { compactsAt: 300_000 },
      ],
      [
        'taken from variables in files, preferably in the last file',
        {
          configs: [
            { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '80' } },
            { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '60' } },
          ],
        },
        { compactsAtShare: 0.6 },
      ],
      [
        'marked as never compacting if the environment turns compaction off',
        { environment: { DISABLE_AUTO_COMPACT: 'true' } },
        { neverCompacts: true },
      ],
      [
        "marked as never compacting if Claude Code's own file turns compaction off",
        { configs: [{ autoCompactEnabled: false }] },
        { neverCompacts: true },
      ],
    ])('are %s', (_, settings, expected) => {
      expect(limits(settings)).toMatchObject(expected);
    });
  });

  it('Codex are the window and the size of its compaction', () => {
    const configs = [{ model_context_window: 400_000, model_auto_compact_token_limit: 350_000 }];
    expect(codexLimits(read({ configs }))).toEqual({ window: 400_000, compactsAt: 350_000 });
  });

  it('Gemini CLI are a share of the window, under its current or former name', () => {
    const now = geminiLimits(read({ configs: [{ model: { compressionThreshold: 0.2 } }] }));
    const before = geminiLimits(
      read({ configs: [{ chatCompression: { contextPercentageThreshold: 0.7 } }] }),
    );
    expect([now.compactsAtShare, before.compactsAtShare]).toEqual([0.2, 0.7]);
  });

  it('Qwen Code are a window and a share; a share of 0 turns compression off', () => {
    const settings = (threshold: number) => ({
      model: {
        generationConfig: { contextWindowSize: 131_072 },
        chatCompression: { contextPercentageThreshold: threshold },
      },
    });
    expect(qwenCodeLimits(read({ configs: [settings(0.6)] }))).toEqual({
      window: 131_072,
      compactsAtShare: 0.6,
      neverCompacts: false,
    });
    expect(qwenCodeLimits(read({ configs: [settings(0)] })).neverCompacts).toBe(true);
  });

  it('opencode are the limit of the model, and whether it compacts automatically', () => {
    const configs = [
      {
        compaction: { auto: false },
        provider: { gateway: { models: { 'my-model': { limit: { context: 196_608, output: 65_536 } } } } },
      },
    ];
    expect(opencodeLimits(read({ configs, model: 'my-model' }))).toEqual({
      window: 196_608,
      neverCompacts: true,
    });
    expect(opencodeLimits(read({ configs, model: 'other' })).window).toBeUndefined();
  });

  it('Copilot CLI are the window of a custom model', () => {
    const environment = { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '1048576' };
    expect(copilotCliLimits(read({ environment })).window).toBe(1_048_576);
  });

  it('any agent are positive numbers or undefined, whatever the files contain', () => {
    const readers = [
      claudeCodeLimits,
      codexLimits,
      geminiLimits,
      qwenCodeLimits,
      opencodeLimits,
      copilotCliLimits,
    ];
    const names = [
      'model',
      'env',
      'provider',
      'compressionThreshold',
      'autoCompactWindow',
      'model_context_window',
    ];
    const config = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(
        fc.array(config as fc.Arbitrary<Record<string, unknown>>),
        fc.string(),
        (configs, model) => {
          for (const limitsOf of readers) {
            const { window = 1, compactsAt = 1, compactsAtShare = 1 } = limitsOf(read({ configs, model }));
            expect(window > 0 && compactsAt > 0 && compactsAtShare > 0 && compactsAtShare <= 1).toBe(true);
          }
        },
      ),
    );
  });
});
