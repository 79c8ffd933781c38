import { isRecord } from '../provider-error.ts';
import { grouped, type Discovery } from './discovered.ts';
import { findModel, readModelList, required, tokensIn } from './model-list.ts';
import { ifThere, type ModelServer } from './model-server.ts';

/**
 * Asks llama-server. `/props` tells the window of one slot, which is what a request can have; a server that only
 * routes to others tells it of a model once that is loaded, which asking must not bring about.
 */
export async function askLlamaCpp(server: ModelServer, model: string): Promise<Discovery> {
  const [list, props] = await Promise.all([
    server.api('/models'),
    ifThere(server.own(`/props?model=${encodeURIComponent(model)}&autoload=false`)),
  ]);
  const models = required(readModelList(list));
  const { default_generation_settings: defaults, total_slots: slots } = isRecord(props) ? props : {};
  const perSlot = isRecord(defaults) ? tokensIn(defaults['n_ctx']) : undefined;
  const window = perSlot ?? findModel(models, model)?.window;
  if (window === undefined) return { models, isUnsettled: true };
  const isShared = typeof slots === 'number' && slots > 1;
  const note = isShared
    ? `llama.cpp serves ${grouped(slots)} requests at a time; each may take ${grouped(window)} tokens.`
    : undefined;
  return { models, window, note };
}
