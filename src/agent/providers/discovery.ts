import { baseUrlAdvice, baseUrlProblem } from '../network/base-url.ts';
import { RedirectError } from '../network/guarded-fetch.ts';
import { AnswerError, modelServer, type ModelServer, type ServerAddress } from './model-server.ts';
import { type Discovery, findModel, readModelList, required } from './discovered-models.ts';
import { askLlamaCpp, askLmStudio, askOllama } from './local-servers.ts';
import type { DiscoveryDialect } from './presets.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import type { Phrase } from '../../compaction/records/record.ts';

/** Reason why the discovery failed. */
export interface DiscoveryProblem {
  readonly problem: 'unauthorised' | 'unreachable' | 'timeout' | 'refused' | 'unreadable';
  readonly message: Phrase;
}

export interface DiscoveryEndpoint extends ServerAddress {
  readonly dialect: DiscoveryDialect;
}

/** Maximum milliseconds for all requests to a server together. */
const defaultTimeLimit = 5_000;

/**
 * Asks a server for its models and for the window of one model. Never throws. Limits the untrusted answers.
 * @param timeLimit milliseconds
 */
export async function discover(
  endpoint: DiscoveryEndpoint,
  model: string,
  timeLimit = defaultTimeLimit,
): Promise<Discovery | DiscoveryProblem> {
  const wrong = baseUrlProblem(endpoint.baseUrl);
  if (wrong !== undefined) return { problem: 'refused', message: baseUrlAdvice[wrong] };
  if (!/^[!-~]*$/.test(endpoint.apiKey ?? '')) {
    return { problem: 'unauthorised', message: modelsSentences.say('keyInvalidHere') };
  }
  try {
    const server = modelServer(endpoint, AbortSignal.timeout(timeLimit));
    return await ask(endpoint.dialect, server, model);
  } catch (error) {
    return problemOf(error, new URL(endpoint.baseUrl).host, endpoint.apiKey !== undefined, timeLimit);
  }
}

function ask(dialect: DiscoveryDialect, server: ModelServer, model: string): Promise<Discovery> {
  switch (dialect) {
    case 'ollama':
      return askOllama(server, model);
    case 'lmstudio':
      return askLmStudio(server, model);
    case 'llamacpp':
      return askLlamaCpp(server, model);
    case 'models':
      return askModels(server, model);
    case 'none':
      return Promise.resolve({ models: [] });
  }
}

async function askModels(server: ModelServer, model: string): Promise<Discovery> {
  const models = required(readModelList(await server.api('/models')));
  const { window, maxOutput, takesImages } = findModel(models, model) ?? {};
  return { models, window, maxOutput, ...(takesImages === undefined ? {} : { takesImages }) };
}

function problemOf(error: unknown, host: string, hasKey: boolean, timeLimit: number): DiscoveryProblem {
  if (error instanceof RedirectError) return { problem: 'refused', message: error.sentence };
  if (error instanceof AnswerError) {
    const { status } = error;
    if (status === 401 || status === 403) {
      const key = hasKey ? 'keyRefusedHere' : 'keyMissingHere';
      return { problem: 'unauthorised', message: modelsSentences.say(key, { host }) };
    }
    const advice = modelsSentences.say('checkBaseUrl');
    return status === undefined
      ? { problem: 'unreadable', message: modelsSentences.say('discoveryNoList', { host, advice }) }
      : {
          problem: 'refused',
          message: modelsSentences.say('discoveryRefused', { host, status: String(status), advice }),
        };
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    const seconds = Math.ceil(timeLimit / 1000);
    return { problem: 'timeout', message: modelsSentences.say('discoveryTimeout', { host, seconds }) };
  }
  return { problem: 'unreachable', message: modelsSentences.say('nothingAnswers', { host }) };
}
