import { importsSentences } from '../../language/english/imports-english.ts';

/**
 * Reports that a file uses a newer version of its format than the known one; the known parts are read anyway. The
 * version of the agent is not the version of its format: only a few agents number the format.
 *
 * @param title of the agent
 * @param found version stated in the file
 * @returns the sentence as a problem; an empty list for a known version and for a file without a version
 */
export function newerVersion(title: string, found: unknown, known: number): readonly string[] {
  if (typeof found !== 'number' || found <= known) return [];
  const version = { agent: title, found: String(found), known: String(known) };
  return [importsSentences.say('newerVersion', version).english];
}
