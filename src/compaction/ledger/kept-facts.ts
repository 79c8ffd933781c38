import { wholePath } from '../text/file-names.ts';
import { type Fact, type LedgerSection, textOfFact } from '../messages/ledger.ts';
import { isTyped, type Message, textOf, typedText } from '../messages/message.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { cutOf } from '../text/known-cuts.ts';
import { longestFact } from './call-facts.ts';
import { extractLedger, factsSaidIn } from './extract.ts';
import { mentionsIn } from './mentions.ts';
import { openErrors } from './open-errors.ts';
import { rootsIn } from './render.ts';
import { workFacts, workTexts } from './work-facts.ts';

/** Checks whether a fact of a ledger section is still in context. */
type KeptFacts = (section: LedgerSection, fact: Fact) => boolean;

/**
 * The only rule for kept facts. Records, notices, handoffs, hooks and the server use it. A fact is kept if a
 * message in context contains it in the same field or names it in full. A file is named by any path that
 * leads to it, a command by the whole command, and a sentence regardless of capitals, quotes and emphasis. A
 * sentence in the output of a tool does not count, because that output is foreign text.
 *
 * @param folder absolute folder against which file names are resolved
 */
export function keptIn(view: readonly Message[], folder?: string): KeptFacts {
  const work = once(() => workTexts(view));
  const errors = once(() => new Set(openErrors(view).map(({ text }) => text)));
  const files = once(() => new Set([...work().files].map((path) => wholePath(path, folder))));
  const hasFile = (path: string) => endsOf(path).some((end) => files().has(end));
  const said = once(() => factsSaidIn(view));
  const copiedMarks = once(() => extractLedger(view.filter(({ kind }) => kind === 'summary')).marked);
  const texts = once(() => view.flatMap(textsOf));
  const mentions = once(() => mentionsIn(texts(), folder));
  // A list of files below a named folder also names their full paths.
  const listed = once(() =>
    view
      .filter(({ role }) => role !== 'tool')
      .flatMap(({ content }) => {
        const text = textOf(content);
        return rootsIn(text).map((root) => mentionsIn([text], root));
      }),
  );
  const sentences = once(() => mentionsIn(view.map((message) => plain(wordsOf(message)))));
  return (section, fact) => {
    const text = textOfFact(fact);
    switch (section) {
      case 'filesRead':
      case 'filesModified':
        return (
          hasFile(wholePath(text, folder)) ||
          mentions().hasFile(text) ||
          listed().some((list) => list.hasFile(wholePath(text, folder)))
        );
      case 'commands':
        return work().commands.has(text) || mentions().hasCommand(text);
      case 'notRun':
        return workFacts(view).notRun.some((other) => other.text === text) || mentions().hasCommand(text);
      case 'errors':
        return errors().has(text) || mentions().has(text);
      case 'identifiers':
        return work().identifiers.has(text) || mentions().has(text);
      case 'marked': {
        // The sentence alone does not show that the task is done.
        const isDone = typeof fact === 'object' && 'as' in fact && fact.as === 'done';
        return (
          copiedMarks().some((other) => other.text === text) || (!isDone && sentences().has(sentenceOf(text)))
        );
      }
      case 'replaced':
        return said().replaced.some((other) => other.text === text) || mentions().has(text);
      case 'nextSteps':
        return extractLedger(view).nextSteps.includes(text) || sentences().has(sentenceOf(text));
      default:
        return said()[section].includes(text) || sentences().has(sentenceOf(text));
    }
  };
}

/** Returns the texts of a message that may name facts. */
function textsOf(message: Message) {
  const text = cutOf(message) ?? textOf(message.content);
  const typed = typedText(message);
  return typed === '' || typed === text ? [text] : [typed, text];
}

/** Returns the text of a message that the user, a model or a summary wrote; otherwise empty. */
function wordsOf(message: Message): string {
  if (message.role !== 'user' || message.kind === 'summary') {
    return message.role === 'tool' ? '' : textOf(message.content);
  }
  return isTyped(message) ? ownWords(message) : '';
}

/** Removes closing punctuation and a last word that was cut off. */
function sentenceOf(fact: string): string {
  const isCut = fact.length >= longestFact - 2;
  return plain(isCut ? fact.replace(/\s\S*$/u, '') : fact).replace(/[.,:;!?…。！？]{1,3}$/u, '');
}

function plain(text: string): string {
  return text.replace(/[`*"“”'‘’]/gu, '').toLowerCase();
}

/** Returns a path, and all of its endings that may be relative paths to the same file. */
function endsOf(path: string): readonly string[] {
  const ends = [path];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) ends.push(path.slice(at + 1));
  return ends;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
