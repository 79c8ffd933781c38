import { describe, expect, it } from 'vitest';
import { discovered } from './ask-server.ts';

describe('a list of models', () => {
  it('of OpenAI contains names only, without models that cannot chat', async () => {
    const data = [{ id: 'gpt-5-mini' }, { id: 'text-embedding-3-small' }, { id: 'whisper-1' }];
    const found = await discovered('models', 'gpt-5-mini', { 'GET /v1/models': { object: 'list', data } });
    expect(found.models.map(({ id }) => id)).toEqual(['gpt-5-mini']);
    expect(found.window).toBeUndefined();
  });

  it('of OpenRouter has the window and the longest reply of the preferred provider', async () => {
    const top_provider = { context_length: 131_072, max_completion_tokens: 16_384 };
    const data = [{ id: 'maker/model', context_length: 262_144, top_provider }];
    const answers = { 'GET /v1/models': { data } };
    const expected = { window: 131_072, maxOutput: 16_384 };
    expect(await discovered('models', 'maker/model', answers)).toMatchObject(expected);
    expect(await discovered('models', 'maker/model:nitro', answers)).toMatchObject(expected);
  });

  const none = { context_length: null, max_completion_tokens: null };
  it.each([
    ['of OpenRouter without a preferred provider', { context_length: 65_536, top_provider: none }, 65_536],
    ['of vLLM', { owned_by: 'vllm', max_model_len: 40_960 }, 40_960],
  ])('%s has the window of the model itself', async (_server, fields, window) => {
    const answers = { 'GET /v1/models': { data: [{ id: 'a', ...fields }] } };
    expect(await discovered('models', 'a', answers)).toMatchObject({ window });
  });

  it('may be an array without a wrapper', async () => {
    const found = await discovered('models', 'a', { 'GET /v1/models': [{ id: 'a', context_length: 8_192 }] });
    expect(found.window).toBe(8_192);
  });
});

describe('Ollama', () => {
  const tags = { models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }, { name: 'llama3:latest' }] };
  const shown = {
    parameters: 'temperature 0.7\nnum_ctx                        8192\nstop "<|end|>"',
    model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    capabilities: ['completion', 'tools'],
  };

  it('runs a loaded model with its current window, whatever the model supports', async () => {
    const found = await discovered('ollama', 'qwen3:8b', {
      'GET /api/tags': tags,
      'GET /api/ps': { models: [{ name: 'qwen3:8b', model: 'qwen3:8b', context_length: 4_096 }] },
      'POST /api/show': shown,
    });
    expect(found.window).toBe(4_096);
    expect(found.note?.english).toMatch(/4,096 tokens; 40,960 are possible.*silently truncates/);
    expect(found.models).toEqual([
      { id: 'qwen3:8b', window: 4_096 },
      { id: 'llama3:latest', window: undefined },
    ]);
  });

  it.each([
    ['uses num_ctx if it is set', {}, { window: 8_192 }],
    ['uses no more than the trained window', { parameters: 'num_ctx 999999' }, { window: 40_960 }],
    [
      'guesses no window before a model is first loaded',
      { parameters: 'temperature 0.7' },
      {
        window: undefined,
        isUnsettled: true,
        note: { english: expect.stringMatching(/when it loads qwen3:8b/) as string },
      },
    ],
    [
      'runs cloud models with their full window',
      { parameters: '', remote_host: 'https://ollama.example:443' },
      { window: 40_960 },
    ],
    [
      'reports which model cannot call tools',
      { capabilities: ['completion'] },
      { note: { english: expect.stringMatching(/^qwen3:8b cannot call tools/) as string } },
    ],
  ])('%s', async (_title, fields, expected) => {
    const answers = {
      'GET /api/tags': tags,
      'GET /api/ps': { models: [] },
      'POST /api/show': { ...shown, ...fields },
    };
    expect(await discovered('ollama', 'qwen3:8b', answers)).toMatchObject(expected);
  });

  it('completes a name without a tag with “latest”', async () => {
    const found = await discovered('ollama', 'llama3', {
      'GET /api/tags': tags,
      'GET /api/ps': { models: [{ name: 'llama3:latest', context_length: 65_536 }] },
      'POST /api/show': { ...shown, model_info: { 'llama.context_length': 65_536 } },
    });
    expect(found).toMatchObject({ window: 65_536, note: undefined });
  });

  it('reports nothing for an unknown model', async () => {
    const found = await discovered('ollama', 'missing', { 'GET /api/tags': tags });
    expect(found).toEqual({ models: [{ id: 'qwen3:8b' }, { id: 'llama3:latest' }] });
  });
});

describe('LM Studio', () => {
  const unexpected = { error: 'Unexpected endpoint or method.' };
  const loaded = {
    type: 'llm',
    key: 'maker/gemma',
    display_name: 'Gemma',
    loaded_instances: [{ id: 'maker/gemma', config: { context_length: 4_096 } }],
    max_context_length: 32_768,
  };

  it('reports the window with which a model was loaded', async () => {
    const embedding = { type: 'embedding', key: 'nomic', loaded_instances: [], max_context_length: 2_048 };
    const found = await discovered('lmstudio', 'maker/gemma', {
      'GET /api/v1/models': { models: [loaded, embedding] },
    });
    expect(found.window).toBe(4_096);
    expect(found.note?.english).toMatch(/4,096 tokens; 32,768 are possible/);
    expect(found.models).toMatchObject([{ id: 'maker/gemma', label: 'Gemma' }]);
  });

  it('may have a model loaded twice, each with its own window and name', async () => {
    const loaded_instances = [
      { id: 'maker/gemma', config: { context_length: 16_384 } },
      { id: 'maker/gemma:2', config: { context_length: 8_192 } },
    ];
    const answers = { 'GET /api/v1/models': { models: [{ ...loaded, loaded_instances }] } };
    expect((await discovered('lmstudio', 'maker/gemma', answers)).window).toBe(8_192);
    expect((await discovered('lmstudio', 'maker/gemma:2', answers)).window).toBe(8_192);
  });

  it('reports the window of a model once it is loaded', async () => {
    const found = await discovered('lmstudio', 'maker/gemma', {
      'GET /api/v1/models': { models: [{ ...loaded, loaded_instances: [] }] },
    });
    expect(found).toMatchObject({ isUnsettled: true });
    expect(found.window).toBeUndefined();
  });

  it('is asked for another list before version 0.4', async () => {
    const found = await discovered('lmstudio', 'devstral', {
      'GET /api/v1/models': unexpected,
      'GET /api/v0/models': {
        data: [
          { id: 'devstral', type: 'llm', max_context_length: 131_072, loaded_context_length: 65_536 },
          { id: 'nomic', type: 'embeddings', max_context_length: 2_048 },
        ],
      },
    });
    expect(found).toMatchObject({ window: 65_536, note: undefined });
    expect(found.models.map(({ id }) => id)).toEqual(['devstral']);
  });

  it('lists names in any version', async () => {
    const found = await discovered('lmstudio', 'devstral', {
      'GET /api/v1/models': unexpected,
      'GET /api/v0/models': unexpected,
      'GET /v1/models': { data: [{ id: 'devstral' }] },
    });
    expect(found.models).toMatchObject([{ id: 'devstral' }]);
  });
});

describe('llama.cpp', () => {
  const list = { data: [{ id: 'model.gguf', meta: { n_ctx_train: 131_072 } }] };

  it('gives each request only the window of a slot', async () => {
    const found = await discovered('llamacpp', 'whatever', {
      'GET /v1/models': list,
      'GET /props': { default_generation_settings: { n_ctx: 8_192 }, total_slots: 4 },
    });
    expect(found.window).toBe(8_192);
    expect(found.note?.english).toMatch(/4 requests at a time; each can use 8,192 tokens/);
  });

  it('has no note with a single slot', async () => {
    const found = await discovered('llamacpp', 'whatever', {
      'GET /v1/models': list,
      'GET /props': { default_generation_settings: { n_ctx: 32_768 }, total_slots: 1 },
    });
    expect(found).toMatchObject({ window: 32_768, note: undefined });
  });

  it('reports nothing for an unloaded model behind a router, and does not load it', async () => {
    const asked: string[] = [];
    const found = await discovered('llamacpp', 'a/b:Q4', {
      'GET /v1/models': list,
      'GET /props': (response, { line }) => {
        asked.push(line);
        response.writeHead(400).end('{"error":{"message":"model is not loaded"}}');
      },
    });
    expect(found).toMatchObject({ isUnsettled: true });
    expect(asked).toEqual(['GET /props?model=a%2Fb%3AQ4&autoload=false']);
  });
});
