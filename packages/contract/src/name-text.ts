/** What every name has to fulfil, by Unicode properties: the names of people and applications, and descriptions. */

export type NameTextProblem = 'unprintable' | 'mixed-scripts' | 'badge';

/** Each problem, in words that read on from the name of the field. */
export const nameTextProblems: Readonly<Record<NameTextProblem, string>> = {
  unprintable: 'must be one line of visible characters, without invisible or control characters',
  'mixed-scripts': 'must not mix scripts that look alike, such as Latin with Cyrillic or Greek',
  badge: 'must not contain check marks or other signs of verification',
};

/** What is wrong with a name, or undefined. */
export function findNameTextProblem(name: string): NameTextProblem | undefined {
  if (!isPrintable(name)) return 'unprintable';
  if (mixesScripts(name)) return 'mixed-scripts';
  return badge.test(name) ? 'badge' : undefined;
}

// Emoji contain joiners, variation selectors and tags, so the search leaves them out. (The flag `v` needs ES2024 syntax.)
const emoji = new RegExp(String.raw`\p{RGI_Emoji}`, 'gv');
/** Scripts whose letters joiners shape. After other letters, a joiner shows nothing. */
const joined = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Khmer', 'Myanmar', 'Tibetan', 'Sinhala', 'Devanagari', 'Bengali'],
  ...['Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Javanese', 'Balinese'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');
/** Source of a pattern: a joiner (U+200C, U+200D) after a letter that it shapes, or after one of its marks. */
export const shapingJoiner = String.raw`(?<=(?=[\p{L}\p{M}])[${joined}])[\u200C\u200D]`;
// Variation selectors choose a form of a symbol or of a Han or Mongolian character.
const shaping = new RegExp(
  String.raw`${shapingJoiner}|(?<=[\p{L}\p{S}\p{N}])[\uFE00-\uFE0F]|(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]`,
  'gu',
);
// U+2800 is an empty Braille pattern; U+FFF9 to U+FFFC mark annotations and objects.
const invisible =
  /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFC]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** True for text with characters that are invisible, break lines, reorder the text around them or control a terminal. */
export function hasInvisible(text: string): boolean {
  return invisible.test(text.replaceAll(emoji, ' ').replaceAll(shaping, ''));
}

/** True for one line of text with something to see and nothing that hides. */
export function isPrintable(name: string): boolean {
  return visible.test(name) && !hasInvisible(name);
}

/** What people write has marks of direction, joiners and signs where a line may break: keyboards, and copies of pages, contain them. */
const format = /[\p{Bidi_Control}\p{Join_Control}\p{Variation_Selector}\u00AD\u200B\u2060\uFEFF]/gu;

/** The rule for descriptions. They may be empty and have line breaks, which pages keep. */
export function isPrintableText(text: string): boolean {
  return !hasInvisible(
    text
      .replaceAll(/[\r\n\t]/g, ' ')
      .replaceAll(emoji, ' ')
      .replaceAll(format, ''),
  );
}

/** Check marks, letters that look like them, circled V, shields and a rosette. */
const badge = /[√✓✔☑✅⍻🗸🗹🮱ꪜ𐄂Ⓥⓥ🅥🆅🛡⛨🏵]/u;

/** Written with Latin in one name: the recommended scripts of UAX 31 except Cyrillic and Greek (UTS 39 §5.2). */
const besideLatin = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
];
const japanese = ['Han', 'Hiragana', 'Katakana'];
const chinese = ['Han', 'Bopomofo'];
const korean = ['Han', 'Hangul'];
const alone = ['Cyrillic', 'Greek', 'Cherokee', 'Coptic', 'Lisu'];

const combinations = [
  ...[japanese, chinese, korean].map((scripts) => ['Latin', ...scripts]),
  ...besideLatin.map((script) => ['Latin', script]),
  ...alone.map((script) => [script]),
].map((scripts) => scripts.map((script) => new RegExp(String.raw`\p{Script_Extensions=${script}}`, 'u')));

const scriptOfItsOwn = /(?![\p{Script=Common}\p{Script=Inherited}])[\p{L}\p{M}\p{N}]/gu;

/** UTS 39 §5.2, "Moderately Restrictive": one script, or one of the combinations. Other scripts are not mixed at all. */
function mixesScripts(name: string): boolean {
  const characters = [...new Set(name.normalize('NFC').match(scriptOfItsOwn))];
  const isWritten = (scripts: readonly RegExp[]) =>
    characters.every((character) => scripts.some((script) => script.test(character)));
  if (combinations.some(isWritten)) return false;
  return characters.some((character) => combinations.flat().some((script) => script.test(character)));
}
