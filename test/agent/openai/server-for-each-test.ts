import { afterEach, beforeEach } from 'vitest';
import type { OpenaiModel, OpenaiModelOptions } from '../../../src/agent/openai/openai-model.ts';
import { modelAt } from './ask-model.ts';
import { ScriptedServer } from './scripted-server.ts';

/** The server of the running test. */
export let server: ScriptedServer;

/** Gives each test of the calling file or block a server of its own. */
export function useServer(): void {
  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(() => server.close());
}

/** A client of this server. */
export function modelOf(options: Partial<OpenaiModelOptions> = {}): OpenaiModel {
  return modelAt(server, options);
}
