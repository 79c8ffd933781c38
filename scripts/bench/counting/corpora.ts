import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../project.ts';
import { realSessions } from '../real-sessions.ts';
import {
  base64Text,
  csvText,
  emojiText,
  hexText,
  logText,
  type MakeText,
  paddedText,
  seededRandom,
  sentencesIn,
  unicodeText,
} from './made-texts.ts';

/** Texts of one kind, each of them once. */
export type Corpus = readonly string[];

/**
 * Texts of all kinds that people send to models. They come from installed packages and real sessions, so that none was
 * written for a benchmark. Kinds that packages lack are made.
 *
 * @param mostUnits maximum size of a corpus in UTF-16 units; the real sessions are taken whole
 */
export async function readCorpora(mostUnits: number): Promise<Readonly<Record<string, Corpus>>> {
  const sessions = await realSessions();
  const texts = sessions?.map(({ content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  const code = () => packageTexts(/\.[cm]?js$/);
  const kinds: Readonly<Record<string, Iterable<string>>> = {
    ...(texts === undefined ? {} : { 'Real sessions': texts }),
    TypeScript: packageTexts(/\.d\.[cm]?ts$/),
    JavaScript: code(),
    Markdown: packageTexts(/\.md$/i),
    JSON: packageTexts(/\.json$/),
    'Short lines': linesOf(texts ?? code()),
    Logs: madeTexts(logText),
    CSV: madeTexts(csvText),
    'Padded tables': madeTexts(paddedText),
    Hexadecimal: madeTexts(hexText),
    Base64: madeTexts(base64Text),
    'Eight languages in Latin letters': compilerMessages('cs', 'de', 'es', 'fr', 'it', 'pl', 'pt-br', 'tr'),
    Russian: compilerMessages('ru'),
    Chinese: compilerMessages('zh-cn', 'zh-tw'),
    Japanese: compilerMessages('ja'),
    Korean: compilerMessages('ko'),
    Arabic: madeTexts(sentencesIn('ar')),
    Hindi: madeTexts(sentencesIn('hi')),
    Thai: madeTexts(sentencesIn('th')),
    Emoji: madeTexts(emojiText),
    'Random Unicode': madeTexts(unicodeText),
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, some]) => [
      kind,
      onceEach(some, some === texts ? Infinity : mostUnits),
    ]),
  );
}

/** Kinds of text with characters that take several bytes. */
export const notAscii: ReadonlySet<string> = new Set([
  'Eight languages in Latin letters',
  'Russian',
  'Chinese',
  'Japanese',
  'Korean',
  'Arabic',
  'Hindi',
  'Thai',
  'Emoji',
  'Random Unicode',
]);

/** Texts up to a size in total, without repetition. */
function onceEach(texts: Iterable<string>, mostUnits: number): Corpus {
  const chosen = new Set<string>();
  let size = 0;
  for (const text of texts) {
    if (text === '' || chosen.has(text)) continue;
    chosen.add(text);
    size += text.length;
    if (size >= mostUnits) break;
  }
  return [...chosen];
}

const packages = join(projectFolder, 'node_modules');
/** Maximum size of a file, so that no file is a corpus alone. */
const mostOfFile = 50_000;

/** Files of installed packages, from one package after the other. */
function* packageTexts(name: RegExp): Iterable<string> {
  for (const one of readdirSync(packages).toSorted()) {
    const folder = join(packages, one);
    if (one.startsWith('.') || !existsSync(join(folder, 'package.json'))) continue;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => name.test(path) && !path.includes('node_modules') && !path.includes('diagnosticMessages'),
    );
    for (const path of files.toSorted().slice(0, 5))
      yield readFileSync(join(folder, path), 'utf8').slice(0, mostOfFile);
  }
}

/** Number of messages in a text, which is then as long as a page. */
const messagesInText = 40;

/** Messages of the TypeScript compiler in some languages, which their speakers wrote. */
function* compilerMessages(...languages: readonly string[]): Iterable<string> {
  for (const language of languages) {
    const file = join(packages, 'typescript', 'lib', language, 'diagnosticMessages.generated.json');
    const messages = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
    for (let at = 0; at < messages.length; at += messagesInText) {
      yield messages.slice(at, at + messagesInText).join('\n');
    }
  }
}

/** Lines as long as a sentence. */
function* linesOf(texts: Iterable<string>): Iterable<string> {
  for (const text of texts) {
    for (const line of text.split('\n')) if (line.trim().length > 10 && line.length < 160) yield line;
  }
}

function* madeTexts(make: MakeText): Iterable<string> {
  const random = seededRandom(1);
  for (;;) yield make(random);
}
