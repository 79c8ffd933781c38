import { describe, expect, it } from 'vitest';
import { apiFor, isLocal, presetAt, presets } from '../../../src/agent/providers/presets.ts';

describe('a preset', () => {
  it('is recognised by its address', () => {
    for (const preset of Object.values(presets)) {
      if (preset.baseUrl !== undefined) expect(presetAt(preset.baseUrl)).toBe(preset);
    }
    expect(presetAt('http://127.0.0.1:11434/v1')?.id).toBe('ollama');
    expect(presetAt('https://mine.openai.azure.com/openai/v1')?.id).toBe('azure');
  });

  it('is not recognised by a similar address', () => {
    expect(presetAt('https://api.openai.com.example.com/v1')).toBeUndefined();
    expect(presetAt('http://api.openai.com/v1')).toBeUndefined();
    expect(presetAt('https://gpu.example.com:11434/v1')).toBeUndefined();
  });

  it('for a local server needs no key', () => {
    const local = Object.values(presets).filter(({ baseUrl }) => baseUrl !== undefined && isLocal(baseUrl));
    expect(local.map(({ id }) => id)).toEqual(['ollama', 'lmstudio', 'vllm', 'llamacpp']);
    expect(local.every(({ needsKey, setsItsOwnWindow }) => !needsKey && setsItsOwnWindow)).toBe(true);
  });
});

describe('the API', () => {
  it("is Responses for OpenAI's models that need their reasoning back", () => {
    const openai = 'https://api.openai.com/v1';
    const apis = ['gpt-5-mini', 'gpt-5.1-codex', 'o3', 'gpt-4.1', 'gpt-5-chat-latest', 'gpt-4o'].map(
      (model) => apiFor(openai, model),
    );
    expect(apis).toEqual(['responses', 'responses', 'responses', 'chat', 'chat', 'chat']);
  });

  it('is chat completions everywhere else', () => {
    expect(apiFor('http://localhost:8000/v1', 'gpt-5-mini')).toBe('chat');
    expect(apiFor('https://openrouter.ai/api/v1', 'o3')).toBe('chat');
    expect(apiFor('https://mine.openai.azure.com/openai/v1', 'gpt-5-mini')).toBe('chat');
  });
});
