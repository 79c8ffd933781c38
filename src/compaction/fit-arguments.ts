import { clipArguments } from './clip-arguments.ts';
import { headAndTail, leftOut } from './clip.ts';
import { wrapJson } from './fit-json.ts';
import { isFactKey } from './ledger/call-facts.ts';
import type { UsageMeter } from './tokens/usage.ts';

/** Characters below which a text in the arguments of a call is not cut: the marker alone takes most of them. */
const shortestArgument = 60;
/** The same for arguments that are clipped as a whole. */
const shortestWrapped = 200;
/** How often arguments are clipped anew until they fit: how many characters a token takes depends on the text. */
const mostRounds = 12;

/** A way to make arguments shorter, and the fewest characters to which it makes sense. */
interface Shortening {
  readonly shortest: number;
  readonly write: (json: string, longest: number) => string | undefined;
}

/** From the one that loses least. Arguments that are no JSON, because the reply was cut off within them, are a text. */
function shorteningsOf(json: string): readonly Shortening[] {
  if (!isJson(json)) {
    const write = (text: string, longest: number) =>
      text.length <= longest ? undefined : headAndTail(text, longest);
    return [{ shortest: shortestArgument, write }];
  }
  return [
    { shortest: shortestArgument, write: (given, longest) => clipArguments(given, longest, isFactKey) },
    { shortest: shortestArgument, write: (given, longest) => clipArguments(given, longest) },
    { shortest: shortestWrapped, write: (given, longest) => wrapJson(given, longest, leftOut) },
  ];
}

/** Arguments of a call at the smallest size they can be cut to, in tokens. Undefined where nothing makes them smaller. */
export async function smallestArguments(
  given: string,
  meter: UsageMeter,
): Promise<{ readonly json: string; readonly tokens: number } | undefined> {
  const written = shorteningsOf(given)
    .map(({ shortest, write }) => write(given, shortest))
    .filter((json) => json !== undefined);
  const sizes = await meter.countTexts(written);
  const [smallest] = written
    .map((json, index) => ({ json, tokens: sizes[index] ?? 0 }))
    .sort((one, other) => one.tokens - other.tokens);
  return smallest;
}

/**
 * Arguments of a call, cut so that they take no more tokens than `most`. They stay JSON where they were, and what was run
 * and where stays whole in them as long as something else gives.
 *
 * @param tokens of the arguments as they are
 * @returns undefined where they cannot be made to fit
 */
export async function argumentsThatFit(
  given: string,
  tokens: number,
  most: number,
  meter: UsageMeter,
): Promise<string | undefined> {
  for (const { shortest, write } of shorteningsOf(given)) {
    let longest = Math.max(shortest, Math.floor((given.length * most) / tokens));
    for (let round = 0; round < mostRounds && longest >= shortest; round++) {
      const json = write(given, longest);
      const size = json === undefined ? tokens : await meter.countText(json);
      if (json !== undefined && size <= most) return json;
      longest = Math.min(longest - 1, Math.floor((longest * most) / size));
    }
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
