/**
 * Splits texts into search words: `tsvector` and `tsquery` of PostgreSQL, without its dictionaries, which differ
 * from server to server. The words of stored posts and names must stay those of searches, so a change needs a data migration.
 */

interface Word {
  readonly text: string;
  /** Ascending. Words of a phrase have consecutive positions. */
  readonly position: number;
}

/** Scripts that are written without spaces between words, and Korean, whose words have many endings. */
const unspaced = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const pattern = new RegExp(String.raw`([${unspaced}]+)|(?:(?![${unspaced}])[\p{L}\p{M}\p{N}_])+`, 'gu');
const unspacedCharacter = new RegExp(`^[${unspaced}]$`, 'u');

/** Accents of Latin, Greek and Cyrillic letters, and points of Hebrew and Arabic ones, with the line that stretches words. Marks of other scripts are vowels. */
const accents = /[\u0300-\u036F\u0640]|(?=\p{M})[\p{scx=Hebrew}\p{scx=Arabic}]/gu;
/** Letters with a stroke, which Unicode does not decompose. */
const struck = 'ⱥaƀbȼcđdɇeǥgħhɨiɉjłlɵoøoᵽpɍrŧtʉuɏyƶz';
/** What people write, whose keyboard has no key for the letter. */
const replacements: ReadonlyMap<string, string> = new Map([
  ...Array.from(struck.matchAll(/(.)(.)/gu), ([, letter = '', plain = '']) => [letter, plain] as const),
  ...([
    ['æ', 'ae'],
    ['œ', 'oe'],
    ['þ', 'th'],
    ['ð', 'd'],
    ['ı', 'i'],
  ] as const),
]);
const replacedLetter = new RegExp(`[${[...replacements.keys()].join('')}]`, 'gu');

/** Longer words are found by their start. */
const maxWordLength = 100;
/** More than a post can have, unless it consists of characters that unfold to many. */
const maxWords = 1000;

const ascii = /^[\0-\u007F]*$/;
/** Finds the same words in ASCII, in a third of the time. */
const asciiWord = /\w+/g;

/** NFKC, case folded, without accents, points, strokes and ligatures. */
function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const plain = foldCase(text).normalize('NFD').replace(accents, '').normalize('NFC');
  return plain.replace(replacedLetter, (letter) => replacements.get(letter) ?? letter);
}

/**
 * Finds the words. Text without spaces becomes pairs of neighbouring characters, and its last character: 三毛猫 is 三毛, 毛猫, 猫. So every
 * part of it is found as a phrase of pairs, and a single character as the start of a pair. `isQuery`: leaves out the last character
 * of a run, after which a text may continue.
 */
function findWords(text: string, isQuery: boolean): readonly Word[] {
  const words: Word[] = [];
  let position = 0;
  const add = (word: string, isLeftOut = false) => {
    position += 1;
    if (words.length < maxWords && !isLeftOut) words.push({ text: word, position });
  };
  const folded = fold(text);
  if (ascii.test(folded)) {
    for (const word of folded.match(asciiWord) ?? []) add(word.slice(0, maxWordLength));
    return words;
  }
  for (const [match, run] of folded.matchAll(pattern)) {
    if (run === undefined) {
      add(Array.from(match).slice(0, maxWordLength).join(''));
      continue;
    }
    const characters = Array.from(run);
    for (const [index, character] of characters.entries()) {
      const next = characters[index + 1];
      add(character + (next ?? ''), isQuery && next === undefined && index > 0);
    }
  }
  return words;
}

/** What every post with media has. No word contains a colon. */
export const mediaWord = 'has:media';

/** The words of a post, as text of a `tsvector`. */
export function toSearchVector(text: string, hasMedia: boolean): string {
  const words = findWords(text, false).map((word) => `'${word.text}':${String(word.position)}`);
  return [...words, ...(hasMedia ? [`'${mediaWord}'`] : [])].join(' ');
}

/**
 * The words of a phrase next to each other, as text of a `tsquery`; a single word is a phrase of one. Undefined: the text has no words.
 */
export function toSearchPhrase(text: string): string | undefined {
  const words = findWords(text, true);
  const parts = words.map(({ text: word, position }, index) => {
    const before = words[index - 1];
    const operator = before === undefined ? '' : `<${String(position - before.position)}> `;
    return `${operator}'${word}'${unspacedCharacter.test(word) ? ':*' : ''}`;
  });
  return parts.length === 0 ? undefined : `(${parts.join(' ')})`;
}

/** The words of a text between spaces, in one line: in it, a phrase of words is a part. */
export function toWordLine(text: string): string {
  const words = [...fold(text).matchAll(pattern)].map(([match]) => match);
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}

/**
 * The part of a line of words (`toWordLine`) that a text with this phrase has. `isPart`: it may begin and end within words, as phrases of
 * scripts without spaces always may.
 */
export function toPhrase(text: string, isPart: boolean): string {
  const phrase = toWordLine(text).trim();
  const [first = '', last = ''] = [Array.from(phrase)[0], Array.from(phrase).at(-1)];
  const spaceAt = (character: string) => (isPart || unspacedCharacter.test(character) ? '' : ' ');
  return `${spaceAt(first)}${phrase}${spaceAt(last)}`;
}

/** A search for accounts by their names. */
interface NameSearch {
  /** Text of a `tsquery`: names with words that start with those of the search. */
  readonly words: string;
  /** Text of a `tsquery`: the same, where words of four or more characters may have one typing error. */
  readonly similar: string;
  /** The username that was searched for, in lower case; empty if it cannot be one. */
  readonly username: string;
}

/** As in `words_of_account()` of the database. */
const [minSimilarLength, maxSimilarLength] = [4, 16];

/** The word and what is left of it without each of its characters: two words with one error between them have one of these in common. */
function toVariants(word: string): readonly string[] {
  const characters = Array.from(word).slice(0, maxSimilarLength);
  if (characters.length < minSimilarLength) return [];
  const shorter = characters.map((_, index) => characters.toSpliced(index, 1).join(''));
  return [...new Set([characters.join(''), ...shorter])];
}

/**
 * Reads the text of a search for accounts. With `@` in front it is the start of a username, otherwise words of names in any order. Text
 * without spaces between words is found by any part of it, as in posts.
 */
export function toNameSearch(text: string): NameSearch {
  const username = /^@?([a-z0-9_]+)$/.exec(fold(text.trim()))?.[1] ?? '';
  const isUsername = username !== '' && text.trim().startsWith('@');
  const searched = isUsername ? [`@${username}`] : findWords(text, true).map(({ text: word }) => word);
  const parts = searched.map((word) => {
    const isPair = Array.from(word).length === 2 && unspacedCharacter.test(Array.from(word)[0] ?? '');
    const start = `'${word}'${isPair ? '' : ':*'}`;
    const variants = toVariants(word.replace(/^@/, '')).map((variant) => `'~${variant}'`);
    return { start, similar: `(${[start, ...variants].join(' | ')})` };
  });
  return {
    words: parts.map(({ start }) => start).join(' & '),
    similar: parts.map(({ similar }) => similar).join(' & '),
    username,
  };
}

/**
 * NFKC and case folding: texts that differ only in case or width fold to the same (decisions D13). Texts are folded here and not in
 * PostgreSQL, which folds by the locale and the Unicode version of each server. It folds by code point, because `toLowerCase` treats
 * a final sigma differently.
 */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const folded = Array.from(text.normalize('NFKC'), (letter) =>
    // Lower case first, because ẞ is ß in lower case, which is SS in upper case.
    letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase(),
  );
  return folded.join('').normalize('NFKC');
}
