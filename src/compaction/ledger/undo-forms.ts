import { clausesOf, isQuestion, settlingSentences } from './own-sentences.ts';

/** `done`: the user took the work before back. `asked`: the agent has to. */
export type TypedUndo = 'done' | 'asked';

const work = String.raw`(?:that|this|it|all (?:of )?(?:that|this)|everything|(?:all )?(?:of )?(?:your|these|those|that|this|the) (?:last |latest |previous )?(?:changes?|edits?|commits?|fix|patch))`;
const end = String.raw`(?=$|[,;:.!，。！]| [—–-] | (?:and|but|so|then|und|aber)\b)`;
const asked = new RegExp(
  String.raw`^(?:(?:(?:can|could) you )?(?:please )?(?:go ahead and )?(?:(?:undo|revert|roll back) ${work}|roll ${work} back)(?: please| again| now)?|mache? (?:das|es|die letzte änderung)(?: bitte)?(?: wieder)? rückgängig|(?:请)?(?:撤销|回退|还原)(?:刚才|上一个|上次|之前)?的?(?:修改|更改|改动|提交))${end}`,
  'iu',
);
const done = new RegExp(
  String.raw`^(?:i(?:['’]ve| have)?(?: just)? (?:undid|undone|reverted|rolled back) ${work}|ich habe (?:das|es|deine (?:letzte )?änderung(?:en)?) (?:wieder )?rückgängig gemacht|我(?:已经)?(?:撤销|回退|还原)了(?:你的|刚才的|上次的)?(?:修改|更改|改动|提交))${end}`,
  'iu',
);

/** Reads whether a typed text begins with such a form: in one of its first two sentences, before everything else. */
export function undoIn(text: string): TypedUndo | undefined {
  for (const sentence of settlingSentences(text).slice(0, 2)) {
    const [clause = ''] = clausesOf(sentence);
    if (done.test(clause) && !isQuestion(sentence)) return 'done';
    if (asked.test(clause)) return 'asked';
  }
  return undefined;
}
