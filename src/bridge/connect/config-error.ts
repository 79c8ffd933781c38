import { SentenceError } from '../../language/sentence.ts';

/** A configuration that cannot be changed as it is, with the reason. */
export class ConfigError extends SentenceError {
  override readonly name = 'ConfigError';
}
