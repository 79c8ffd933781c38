import { describe, expect, it, onTestFinished } from 'vitest';
import type { NativeCompaction, SummaryModel } from '../../../src/compaction/summary/summary-model.ts';
import type { ApiKeys } from '../../../src/extension/models/endpoint-access.ts';
import {
  ModelProvider,
  type ModelSettings,
  summaryModelBeside,
} from '../../../src/extension/models/model-provider.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';
import { type PlayedAnswer, PlayedServer } from '../../agent/providers/played-server.ts';
import { modelSettings } from '../../presenters/models/provider-settings.ts';
import { SummaryModelDouble } from '../../support/engine.ts';
import { englishOf } from '../../../src/compaction/records/reason.ts';

describe('model provider', () => {
  /** A provider with a key for every endpoint. */
  function provider(values: Readonly<Record<string, unknown>>): ModelProvider {
    const keys: Pick<ApiKeys, 'get'> = { get: () => Promise.resolve('key') };
    return new ModelProvider(keys as ApiKeys, () => readSettings((name) => values[name]));
  }

  async function modelsOf(values: Readonly<Record<string, unknown>>) {
    return provider(values).models();
  }

  describe('the models of a chat', () => {
    it("use the chat's model for summaries if no other is set", async () => {
      const { chat, compaction, named } = await modelsOf({});
      expect(compaction).toBe(chat);
      expect(named('gpt-5-mini')).toBe(chat);
    });

    it('include a model for summaries if one is set, with its known window', async () => {
      const { compaction } = await modelsOf({ compactionModel: 'gpt-4.1-nano' });
      expect(compaction).toMatchObject({ id: 'gpt-4.1-nano', window: 1_047_576 });
      const models = { tiny: { window: 9_000 } };
      expect((await modelsOf({ compactionModel: 'tiny', models })).compaction?.window).toBe(9_000);
    });

    it('continue the chat’s requests only with the chat’s own model', async () => {
      const { chat, compaction, named } = await modelsOf({ compactionModel: 'gpt-4.1-nano' });
      expect(chat.continuesRequests).toBe(true);
      expect(compaction?.continuesRequests).toBeUndefined();
      expect(named('gpt-4o').continuesRequests).toBeUndefined();
    });

    it('have no guessed window', async () => {
      const { compaction } = await modelsOf({ compactionModel: 'nobody-knows' });
      expect(compaction?.window).toBeUndefined();
    });
  });

  describe('models that are chosen while others are requested', () => {
    /** Settings that change, and keys that arrive on request. */
    function scene() {
      let values: Readonly<Record<string, unknown>> = { model: 'old-one', baseUrl: 'https://old.example/v1' };
      const waiting: (() => void)[] = [];
      const labels: string[] = [];
      const keys: Pick<ApiKeys, 'get'> = {
        get: (baseUrl) => new Promise((resolve) => waiting.push(() => resolve(`key of ${baseUrl}`))),
      };
      const of: ModelProvider = new ModelProvider(
        keys as ApiKeys,
        () => readSettings((name) => ({ window: 9_000, ...values })[name]),
        { changed: () => labels.push(of.choice.label), now: () => 0 },
      );
      /** Returns every requested key until the work is done. */
      const answering = async <T>(work: Promise<T>): Promise<T> => {
        const over = new AbortController();
        const end = () => over.abort();
        work.then(end, end);
        while (!over.signal.aborted) {
          waiting.splice(0).forEach((answer) => answer());
          await new Promise((resolve) => setImmediate(resolve));
        }
        return work;
      };
      const set = (changes: Readonly<Record<string, unknown>>) => (values = { ...values, ...changes });
      return { of, set, waiting, answering, labels };
    }

    it('are used at once, and shown in the label', async () => {
      const { of, set, answering } = scene();
      const asked = of.models();
      set({ model: 'new-one', baseUrl: 'https://new.example/v1' });
      const { chat } = await answering(asked);
      expect(chat.id).toBe('new-one');
      expect(of.choice.label).toBe('new-one');
    });

    it('are used, and shown in the label, only once all their settings are written', async () => {
      const { of, set, answering, labels } = scene();
      await answering(of.refresh());
      let written: () => void = () => undefined;
      const changing = of.change(async () => {
        set({ model: 'new-one' });
        await new Promise<void>((resolve) => (written = resolve));
        set({ baseUrl: 'https://new.example/v1' });
      });
      await answering(of.refresh());
      expect(of.choice.label).toBe('old-one');
      expect((await answering(of.models())).chat.id).toBe('old-one');
      written();
      await answering(changing);
      expect(labels).toEqual(['new-one']);
      expect((await answering(of.models())).chat.id).toBe('new-one');
    });

    it('are used as far as their settings were written if writing them fails', async () => {
      const { of, set, answering } = scene();
      const changing = of.change(() => {
        set({ model: 'new-one' });
        return Promise.reject(new Error('read-only'));
      });
      await expect(answering(changing)).rejects.toThrow('read-only');
      expect(of.choice.label).toBe('new-one');
    });

    it('are not replaced if the key for earlier settings arrives late', async () => {
      const { of, set, waiting, answering } = scene();
      const before = of.refresh();
      const [late] = waiting.splice(0);
      set({ provider: 'offline' });
      await answering(of.refresh());
      late!();
      await before;
      expect(of.choice.isOffline).toBe(true);
      set({ provider: 'auto', baseUrl: 'https://old.example/v1' });
      expect(of.choice.isOffline).toBe(true);
    });
  });

  describe('the budget', () => {
    it('fills in missing settings from the table of models', async () => {
      const of = provider({ model: 'claude-sonnet-5', triggerTurns: 9 });
      await of.refresh();
      expect(of.budget).toMatchObject({
        window: 1_000_000,
        maxOutput: 128_000,
        cachePrice: { read: 0.1, write: 1.25 },
        isApproximate: true,
        triggerTurns: 9,
      });
    });
  });

  describe('a server on this machine', () => {
    const ollama = (context_length: number): Readonly<Record<string, PlayedAnswer>> => ({
      'GET /api/tags': { models: [{ name: 'qwen3:8b' }] },
      'GET /api/ps': { models: [{ name: 'qwen3:8b', context_length }] },
      'POST /api/show': { model_info: { 'qwen3.context_length': 40_960 } },
    });

    async function scene(answers: Readonly<Record<string, PlayedAnswer>>, set: Partial<ModelSettings> = {}) {
      const server = await PlayedServer.start(answers);
      onTestFinished(() => server.close());
      const keysAskedFor: string[] = [];
      const keys: Pick<ApiKeys, 'get'> = {
        get: (baseUrl) => {
          keysAskedFor.push(baseUrl);
          return Promise.resolve(undefined);
        },
      };
      let tell: () => void = () => undefined;
      const changed = new Promise<void>((resolve) => (tell = resolve));
      const settings = modelSettings({
        provider: 'ollama',
        baseUrl: server.baseUrl,
        model: 'qwen3:8b',
        ...set,
      });
      const ports = { changed: () => tell(), now: () => 0 };
      const of = new ModelProvider(keys as ApiKeys, () => settings, ports);
      return { of, changed, server, keysAskedFor };
    }

    it('reports its window before the first request is made', async () => {
      const { of } = await scene(ollama(4_096));
      expect((await of.models()).chat.window).toBe(4_096);
      expect(of.budget.window).toBe(4_096);
      expect(englishOf(of.choice.note ?? '')).toMatch(/4,096 tokens; 40,960 are possible/);
    });

    it('is asked for its window in the background on a refresh', async () => {
      const { of, changed } = await scene(ollama(8_192));
      await of.refresh();
      await changed;
      expect(of.choice.window).toBe(8_192);
    });

    it('blocks nothing if it does not answer, and is reported to the user', async () => {
      const { of, server } = await scene({ 'GET /api/tags': (response) => response.destroy() });
      expect((await of.models()).chat.window).toBeUndefined();
      expect(englishOf(of.choice.note ?? '')).toContain(new URL(server.baseUrl).host);
    });

    it('is asked for the window of the summary model, too', async () => {
      const { of } = await scene(ollama(4_096), { model: 'other', compactionModel: 'qwen3:8b' });
      const { chat, compaction } = await of.models();
      expect(chat.window).toBeUndefined();
      expect(compaction).toMatchObject({ id: 'qwen3:8b', window: 4_096 });
    });

    it('receives only its own key', async () => {
      const { of, server, keysAskedFor } = await scene(ollama(4_096));
      await of.models();
      expect([...new Set(keysAskedFor)]).toEqual([server.baseUrl]);
    });
  });

  describe('Azure', () => {
    it('is not used without the address of the resource', () => {
      const of = new ModelProvider({ get: () => Promise.resolve(undefined) } as unknown as ApiKeys, () =>
        modelSettings({ provider: 'azure' }),
      );
      expect(of.problems).toMatchObject([{ key: 'settings.azureNeedsBaseUrl' }]);
      expect(of.keyUrl).toBeUndefined();
    });
  });
});

describe('summary model', () => {
  /** A chat's model that compacts natively and names the endpoint. */
  class NativeChat extends SummaryModelDouble implements SummaryModel {
    readonly continuesRequests = true;
    private readonly endpoint = 'https://chat.example';

    compactNatively(): Promise<NativeCompaction> {
      return Promise.resolve({ item: { endpoint: this.endpoint, content: 'x' } });
    }
  }

  const never = new AbortController().signal;

  describe('a summary model next to the chat’s own', () => {
    it('writes summaries under its own name and within its own window', async () => {
      const other = new SummaryModelDouble('notes', 9_000);
      const beside = summaryModelBeside(new NativeChat('chat'), other);
      expect(beside).toMatchObject({ id: 'double', window: 9_000 });
      const request = {
        instructions: '',
        prompt: '',
        sources: [],
        focus: undefined,
        tag: 'summary',
        maxOutputTokens: 100,
      };
      expect((await beside.summarise(request, never)).content).toBe('notes');
      expect(other.requests).toEqual([request]);
    });

    it('does not continue the chat’s requests', () => {
      expect(
        summaryModelBeside(new NativeChat('chat'), new NativeChat('x')).continuesRequests,
      ).toBeUndefined();
    });

    it('keeps the provider’s own compaction with the chat’s model', async () => {
      const beside = summaryModelBeside(new NativeChat('chat'), new SummaryModelDouble('notes'));
      expect((await beside.compactNatively?.([], never))?.item.endpoint).toBe('https://chat.example');
      const without = summaryModelBeside(new SummaryModelDouble('chat'), new NativeChat('x'));
      expect(without).not.toHaveProperty('compactNatively');
    });
  });
});
