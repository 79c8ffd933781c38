import { parseReferences } from '../attachments/parse-references.ts';

/** Where attachments begin, behind what was typed. */
const attached = /\n\n<attachment(?:-\d+)? type="/u;

/** What a person typed of a message, without what is attached to it; files that it attaches are named by their path. */
export function typedQuestion(message: string): string {
  const [typed = ''] = message.split(attached, 1);
  let question = '';
  let end = 0;
  for (const reference of parseReferences(typed)) {
    question += typed.slice(end, reference.start);
    ({ end } = reference);
    // The path without the sign before it; what stands open in the editor has no name here.
    if (reference.source.type === 'path') question += typed.slice(reference.start + 1, end);
  }
  return question + typed.slice(end);
}
