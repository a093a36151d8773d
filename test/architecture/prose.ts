/** Finds turns of phrase that were removed from this repository because native speakers stumble over them. */

type Files = ReadonlyMap<string, string>;

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly instead: string;
}

/** A pattern, and what to write instead. Matches ignore case. */
const phrases: readonly (readonly [pattern: string, instead: string])[] = [
  // The past, which belongs to git
  ['(?:of|in|by|from|that) (?:an )?earlier (?:versions?|releases?)', 'what holds at present'],
  ['(?:of|in|by|from|that) (?:the )?previous (?:versions?|releases?)', 'what holds at present'],
  ['once (?:had|was|were|took|needed)', 'what holds at present'],
  ['before (?:that|this) change', 'what holds at present'],
  ['(?:has|have|had) come to', 'the outcome of'],
  ['until now', 'what holds at present'],
  // Time and repetition
  ['anew', 'again, or a verb with re-'],
  ['of now|of before', 'current, earlier'],
  ['in the mean', 'on average'],
  ['by which words', 'the words that'],
  ['meanwhile', 'in between, since then; or leave it out'],
  ['(?:go|goes|went|going|gone) on', 'continue, still works'],
  ['worked off', 'processed, erased'],
  ['comes? to an end', 'end, finish'],
  ['in the midst', 'during, in the middle'],
  ['without an end', 'without expiry'],
  ['past (?:its|their) end|behind the end', 'expired'],
  ['has its (?:answer|end)', 'is answered, has ended'],
  ['living', 'active'],
  ['stays? so', 'remains, still is'],
  ['in vain', 'without success'],
  ['shall', 'must, should, will'],
  // People
  ['whoever', 'anyone who, the person who'],
  [
    String.raw`(?<=^|[.,;:(“] ?|\b(?:how|where|which|when) )one (?:can|may|must|has to)`,
    'you can; or name the subject',
  ],
  ["one['’]s own", 'your own, its own'],
  ["nobody['’]s", 'name what is meant'],
  ['of ours', 'our'],
  ['to our taste', 'that we disagree with'],
  ['turn(?:s|ed)? to who', 'contact the administrator'],
  [String.raw`lets? (?:in|(?:it|them|him|her|nobody|applications|an application|requests) in)`, 'authorize, admit'],
  ['bears? (?:the|a|its|his|that) (?:name|username)', 'has the username'],
  [String.raw`prove(?:s|d)? (?:who|anew|it again)`, 'authenticate, confirm your identity'],
  // Telling and asking
  ['(?:tell|tells|told|telling) of', 'report, describe'],
  ['(?:is|are|was|were|be|been) told', 'is notified, learns, reports'],
  ['say(?:s)? of itself', 'states about itself'],
  [String.raw`is for the \w+ to know`, 'the caller must …'],
  ['otherwise called|called otherwise|how (?:it|they) (?:is|are) called', 'named, renamed'],
  ['told apart', 'distinguished'],
  ['obey(?:s|ed)?', 'apply, follow'],
  // Place and existence
  [String.raw`(?:is|are|was|were) not there`, 'does not exist, is missing'],
  [String.raw`(?:is|are|was|were) away`, 'is unreachable, is down'],
  ['stands? (?:in|at|here|there|beside|below|above|by itself)', 'is in, is at'],
  ['set aside', 'soft-delete'],
  // Doing
  ['hand(?:s|ed|ing)? on', 'pass on, forward'],
  ['(?:take|takes|taken|taking|took) (?:it |them )?back', 'revoke, withdraw, undo'],
  [String.raw`(?:is|are|was|were|be) good (?:once|for (?:once|nothing|all|a))`, 'works once, is valid for'],
  [String.raw`(?:is|are|was|has|have) (?:\w+ )?no more(?! than)`, 'no longer'],
  ['sees? to (?:it|that)', 'ensures'],
  ['mend(?:s|ed|ing)?', 'fix, recover'],
  ['one too many', 'more than the limit'],
  ['in clear(?! text)', 'in clear text'],
  ['at one go', 'at once, in one statement'],
  ['judged together', 'checked in one batch'],
  ['be had', 'be obtained'],
  ['put in words', 'formatted'],
];

/** Names in code that say what the field has another word for. */
const names: readonly (readonly [pattern: string, instead: string])[] = [
  [String.raw`\bgoOn\b`, 'resume, continue'],
  [String.raw`\w*[aA]fresh\w*`, 'reload, findUncached'],
  [String.raw`\bisLiving\w*|\bliving[A-Z]\w*|\bliving-grant\b`, 'isActive'],
  [String.raw`\btruthful\w*|\bhonest[A-Z]\w*|\bjudged-together|\binteraction-door`, 'a name from the glossary'],
];

const rules: readonly (readonly [pattern: RegExp, instead: string])[] = [
  ...phrases.map(
    ([pattern, instead]) =>
      [new RegExp(String.raw`(?<![\w-])(?:${pattern.replaceAll(' ', ' +')})(?![\w-])`, 'giu'), instead] as const,
  ),
  ...names.map(([pattern, instead]) => [new RegExp(pattern, 'gu'), instead] as const),
];

export function findBannedPhrases(files: Files): readonly Finding[] {
  return [...files].flatMap(([path, text]) => {
    const sentences = joinLines(text);
    return rules.flatMap(([pattern, instead]) =>
      [...sentences.matchAll(pattern)].map((match) => ({
        path,
        line: text.slice(0, match.index).split('\n').length,
        found: match[0].replaceAll(/ +/gu, ' '),
        instead,
      })),
    );
  });
}

/** Comments and paragraphs break sentences: line ends, indentation and comment marks become spaces, one for one. */
function joinLines(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:(?:\*(?!\/)|\/\/|>)[ \t]*)?(?=\S)/gu, (gap) => ' '.repeat(gap.length));
}

/** `apps/auth/src/pages`, `packages/db`, `test/e2e`, `docs`; `.` for the root. */
export function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  if (folders.length === 0) return '.';
  if (folders[0] === 'docs' || folders[0] === 'prisma') return folders[0];
  return folders.slice(0, folders[0] === 'apps' && folders[2] === 'src' ? 4 : 2).join('/');
}
