import { describe, expect, it } from 'vitest';
import { restrictedSettings } from '../../../src/presenters/settings/configuration.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';

describe('the settings', () => {
  const read = (values: Readonly<Record<string, unknown>> = {}) => readSettings((name) => values[name]);

  describe('readSettings', () => {
    it('has a default for every setting', () => {
      expect(read()).toMatchObject({
        strategy: { id: 'ladder' },
        mode: 'auto',
        ratios: { triggerRatio: 0.85, targetRatio: 0.5 },
        window: undefined,
        reservedOutput: undefined,
        triggers: { triggerTokens: undefined, triggerMessages: undefined, triggerTurns: undefined },
        focus: '',
        compactionModel: '',
        models: {},
        protectFirst: true,
        provider: 'auto',
        problems: [],
      });
    });

    it('reads the options of the chosen strategy', () => {
      const settings = read({ strategy: 'llm-summary', 'strategies.llm-summary': { preserveMessages: 4 } });
      expect(settings.options).toMatchObject({ preserveMessages: 4 });
    });

    it('reads the other triggers of a compaction, and treats 0 as disabled', () => {
      const { triggers } = read({ triggers: { tokens: 50_000, messages: 0, turns: 20 } });
      expect(triggers).toEqual({ triggerTokens: 50_000, triggerMessages: undefined, triggerTurns: 20 });
    });

    it('reads the reserve for the reply', () => {
      expect(read({ triggers: { reservedOutput: 4_000 } }).reservedOutput).toBe(4_000);
      expect(read({ triggers: { reservedOutput: 0 } }).reservedOutput).toBeUndefined();
    });

    it('runs commands in a sandbox and flushes each turn by default', () => {
      expect(read()).toMatchObject({ commandSandbox: 'on', durability: 'turn' });
      const safety = { commandSandbox: 'off', durability: 'write' };
      expect(read({ safety })).toMatchObject(safety);
    });

    it.each([
      ['', 0, ''],
      [' http://127.0.0.1:4318 ', 0, 'http://127.0.0.1:4318'],
      ['https://collector.example/otlp', 0, 'https://collector.example/otlp'],
      ['http://collector.example:4318', 1, ''],
      ['https://user:word@collector.example', 1, ''],
      ['collector', 1, ''],
    ])('sends telemetry to an endpoint that others cannot read: "%s"', (endpoint, problems, used) => {
      const settings = read({ telemetry: { endpoint } });
      expect(settings.telemetry).toEqual({ endpoint: used, content: false });
      expect(settings.problems).toHaveLength(problems);
    });

    it("reads the user's facts about models", () => {
      const models = {
        'my-model': { window: 65_536, cache: { read: 0.1, write: 1 }, tokenizer: 'cl100k_base' },
      };
      expect(read({ models })).toMatchObject({ models, problems: [] });
    });

    it.each([
      [{ strategy: 'magic' }, 'contextBudget.strategy: there is no strategy "magic"'],
      [{ strategy: 3 }, 'contextBudget.strategy: there is no strategy 3'],
      [
        { strategy: 'llm-summary', 'strategies.llm-summary': { preserveMessages: -1 } },
        'contextBudget.strategies.llm-summary: preserveMessages must be a whole number from 0 to 1,000, not -1. The default is used.',
      ],
      [{ mode: 'sometimes' }, 'contextBudget.mode must be one of auto, ask, off'],
      [{ window: 1.5 }, 'contextBudget.window must be a whole number from 0'],
      [{ triggerRatio: '85%' }, 'contextBudget.triggerRatio must be a number from 0.1 to 0.99'],
      [
        { targetRatio: 0.9 },
        'contextBudget.targetRatio (0.9) must be below contextBudget.triggerRatio (0.85)',
      ],
      [{ triggers: { messages: -1 } }, 'contextBudget.triggers: messages must be a whole number from 0'],
      [{ triggers: 7 }, 'contextBudget.triggers must be an object, not 7. The defaults are used.'],
      [
        { safety: { commandSandbox: 'no' } },
        'contextBudget.safety: commandSandbox must be one of on, off, not "no". The default is used.',
      ],
      [{ safety: 'off' }, 'contextBudget.safety must be an object, not "off". The defaults are used.'],
      [
        { 'strategies.custom': { module: 7 } },
        'contextBudget.strategies.custom: module must be a string, not 7. The default is used.',
      ],
      [{ focus: 3 }, 'contextBudget.focus must be a string, not 3. "" is used instead.'],
      [{ models: ['gpt-5'] }, 'contextBudget.models must be an object'],
      [{ models: { mine: 128 } }, 'contextBudget.models.mine must be an object, not 128'],
      [{ models: { mine: { window: 0 } } }, 'contextBudget.models.mine.window must be a whole number from 1'],
      [
        { models: { mine: { size: 1 } } },
        'contextBudget.models.mine.size is not an option. The options are window, maxOutput',
      ],
      [
        { models: { mine: { cache: { read: '10%' } } } },
        'contextBudget.models.mine.cache.read must be a number from 0 to 100, not "10%". The built-in table is used.',
      ],
      [{ models: { mine: { tokenizer: 'best' } } }, 'contextBudget.models.mine.tokenizer must be one of'],
      [{ protectFirst: 'yes' }, 'contextBudget.protectFirst must be true or false'],
      [{ baseUrl: 'localhost:1234' }, 'contextBudget.baseUrl must be a URL'],
      [{ baseUrl: 'https://' }, 'contextBudget.baseUrl must be a URL'],
      [{ model: '' }, 'contextBudget.model must be a string that is not empty, not ""'],
    ])('reports %j once and uses the default', (values, problem) => {
      const settings = read(values);
      expect(settings.problems).toHaveLength(1);
      expect(settings.problems[0]?.english).toContain(problem);
      const { problems: _reported, ...rest } = settings;
      const { problems: _none, ...defaults } = read(
        'strategies.llm-summary' in values ? { strategy: 'llm-summary' } : {},
      );
      expect(rest).toEqual(defaults);
    });
  });
});

describe('the custom strategy', () => {
  const reading = (value: unknown) =>
    readSettings((name) => (name === 'strategies.custom' ? value : undefined));

  describe('the setting of its module', () => {
    it('is empty by default, without a problem', () => {
      expect(reading(undefined)).toMatchObject({ customStrategy: '', problems: [] });
    });

    it('is used without surrounding spaces', () => {
      expect(reading({ module: ' ./mine.mjs#Mine ' }).customStrategy).toBe('./mine.mjs#Mine');
    });

    it('cannot be set by an untrusted folder', () => {
      expect(restrictedSettings).toContain('contextBudget.strategies.custom');
    });
  });
});
