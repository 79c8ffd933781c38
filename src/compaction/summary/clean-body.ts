import { personTitles } from '../ledger/render.ts';
import type { Mark } from '../quoting/mark.ts';
import { neutralise, withoutHeadings } from '../quoting/neutralise.ts';

/**
 * Notes that a model wrote, or anybody else: nothing in them can pass for a marker, for a delimiter of ours, or for a
 * section of the facts that the program copies.
 */
export function cleanBody(body: string, mark: Mark): string {
  return withoutHeadings(neutralise(body, mark), personTitles);
}
