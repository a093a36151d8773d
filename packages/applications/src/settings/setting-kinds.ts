/** The kinds of protocol settings: how each is submitted, checked, stored and compared. */
import type { ApplicationType } from '../application/application-type.ts';

/** What is wrong with a submitted setting. */
export type SettingProblem =
  | 'unknown-choice'
  | 'not-for-type'
  | 'not-a-number'
  | 'out-of-range'
  | 'bad-address'
  | 'too-many'
  /** Strict applications cannot have this value. */
  | 'not-with-strict'
  /** Only applications with keys of their own can be strict. */
  | 'needs-keys';

/** A problem with the value it is about; `message` is for the command. */
interface SettingRefusal {
  readonly problem: SettingProblem;
  readonly value: string;
  readonly message: string;
}

type ParsedSetting<Value> =
  | { readonly value: Value; readonly refusals?: undefined }
  | { readonly refusals: readonly SettingRefusal[] };

/** What every kind has in common. */
interface Description<Name extends string> {
  /**
   * Name of the client metadata (RFC 7591, OpenID Connect). It is also the name of the column, of the form field, in
   * the audit log, and of the option of the command, with hyphens.
   */
  readonly name: Name;
  /** Help text of the option. */
  readonly summary: string;
}

/** A protocol setting of an application. */
export interface Setting<Value, Name extends string = string> extends Description<Name> {
  /** How the form and the command ask for it. */
  readonly input: 'flag' | 'choices' | 'choice' | 'text' | 'lines';
  /** Name of the option of the command, without hyphens before it. */
  readonly option: string;
  /** For `choices` and `choice`: those that the form shows, for any type. */
  readonly choices: readonly string[];
  /** Whether applications of this type have the choice; others always get the default. */
  readonly isFor: (type: ApplicationType) => boolean;
  /** Whether applications of this type can have this choice, or switch this flag. */
  readonly isChoiceFor: (choice: string, type: ApplicationType) => boolean;
  readonly defaultFor: (type: ApplicationType) => Value;
  /** Checks a submitted value: a flag is off if the list is empty, the other kinds hold one text per value. */
  readonly parse: (texts: readonly string[], type: ApplicationType) => ParsedSetting<Value>;
  /** A value of client metadata (RFC 7591) as it would be submitted; undefined if its JSON type is another. */
  readonly fromMetadata: (value: unknown) => readonly string[] | undefined;
  /** The reverse of `parse`. */
  readonly toTexts: (value: Value) => readonly string[];
  /** Whether `after` allows more than `before`, so that the change needs a recent sign-in and is mailed to the owner. */
  readonly isWider: (after: Value, before: Value) => boolean;
  /**
   * SQL condition over the rows `application` (before) and `given` (after): the change allows less, which revokes the
   * tokens of the application. Undefined if no change does.
   */
  readonly isNarrower: string | undefined;
}

const always = () => true;
const never = () => false;

function optionOf(name: string): string {
  return name.replaceAll('_', '-');
}

interface FlagDescription<Name extends string> extends Description<Name> {
  readonly defaultFor: (type: ApplicationType) => boolean;
  readonly isFor?: (type: ApplicationType) => boolean;
  /** Switching it on refuses what was allowed before. */
  readonly isRestriction: boolean;
}

/** On or off. Options `--name` and `--no-name`. */
export function flag<Name extends string>(description: FlagDescription<Name>): Setting<boolean, Name> {
  const { name, isRestriction } = description;
  return {
    isFor: always,
    ...description,
    input: 'flag',
    option: optionOf(name),
    choices: [],
    isChoiceFor: (_choice, type) => description.isFor?.(type) !== false,
    parse: (texts) => ({ value: texts.some((text) => text !== '') }),
    fromMetadata: readFlag,
    toTexts: (value) => (value ? ['yes'] : []),
    isWider: (after, before) => after !== before && after !== isRestriction,
    isNarrower: isRestriction
      ? `(given."${name}" AND NOT application."${name}")`
      : `(application."${name}" AND NOT given."${name}")`,
  };
}

interface ChoicesDescription<Name extends string> extends Description<Name> {
  readonly option: string;
  readonly choices: readonly string[];
  readonly defaultFor: (type: ApplicationType) => readonly string[];
  readonly isChoiceFor: (choice: string, type: ApplicationType) => boolean;
}

/** Any number of given words, each of which allows something. A repeatable option. */
export function choices<Name extends string>(description: ChoicesDescription<Name>): Setting<readonly string[], Name> {
  const { name, choices: known, isChoiceFor } = description;
  const refuse = (value: string, type: ApplicationType): readonly SettingRefusal[] => {
    const quoted = JSON.stringify(value);
    if (!known.includes(value)) {
      const message = `There is no ${name} ${quoted}. Choose from ${known.join(', ')}.`;
      return [{ problem: 'unknown-choice', value, message }];
    }
    if (isChoiceFor(value, type)) return [];
    const message = `${capitalize(type)} applications cannot use ${name} ${quoted}.`;
    return [{ problem: 'not-for-type', value, message }];
  };
  return {
    ...description,
    input: 'choices',
    isFor: always,
    parse: (texts, type) => {
      const refusals = texts.flatMap((text) => refuse(text, type));
      return refusals.length > 0 ? { refusals } : { value: known.filter((one) => texts.includes(one)) };
    },
    fromMetadata: readTexts,
    toTexts: (value) => value,
    isWider: (after, before) => after.some((one) => !before.includes(one)),
    isNarrower: `NOT application."${name}" <@ given."${name}"`,
  };
}

interface ChoiceDescription<Name extends string> extends Description<Name> {
  readonly choices: readonly string[];
  readonly defaultFor: (type: ApplicationType) => string;
  readonly isFor?: (type: ApplicationType) => boolean;
}

/** Exactly one of the given words. */
export function choice<Name extends string>(description: ChoiceDescription<Name>): Setting<string, Name> {
  const { name, choices: known } = description;
  return {
    isFor: always,
    ...description,
    input: 'choice',
    option: optionOf(name),
    isChoiceFor: always,
    parse: ([text = '']) => {
      if (known.includes(text)) return { value: text };
      const message = `There is no ${name} ${JSON.stringify(text)}. Choose from ${known.join(', ')}.`;
      return { refusals: [{ problem: 'unknown-choice', value: text, message }] };
    },
    fromMetadata: readText,
    toTexts: (value) => [value],
    isWider: never,
    isNarrower: undefined,
  };
}

interface SecondsDescription<Name extends string> extends Description<Name> {
  readonly min: number;
  readonly max: number;
  readonly isFor?: (type: ApplicationType) => boolean;
}

/** A whole number of seconds; null, submitted as an empty text, is the default of the service. */
export function seconds<Name extends string>(description: SecondsDescription<Name>): Setting<number | null, Name> {
  const { name, min, max } = description;
  const range = `Give a whole number of seconds from ${String(min)} to ${String(max)}.`;
  return {
    isFor: always,
    ...description,
    input: 'text',
    option: optionOf(name),
    choices: [],
    isChoiceFor: always,
    defaultFor: () => null,
    parse: ([text = '']) => {
      const typed = text.trim();
      if (typed === '') return { value: null };
      const message = `The ${name} ${JSON.stringify(typed)} is not valid. ${range}`;
      if (!/^\d{1,12}$/.test(typed)) return { refusals: [{ problem: 'not-a-number', value: typed, message }] };
      const value = Number(typed);
      return value >= min && value <= max
        ? { value }
        : { refusals: [{ problem: 'out-of-range', value: typed, message }] };
    },
    toTexts: (value) => [value === null ? '' : String(value)],
    fromMetadata: readInteger,
    isWider: never,
    isNarrower: undefined,
  };
}

interface UriDescription<Name extends string> extends Description<Name> {
  /** Whether this text is acceptable; the text is printable ASCII of up to 2048 characters. */
  readonly isValid: (uri: string, type: ApplicationType) => boolean;
}

const maxUriLength = 2048;

function isUri(text: string): boolean {
  return text.length <= maxUriLength && /^[!-~]+$/.test(text) && URL.canParse(text);
}

function refuseUri(name: string, value: string): SettingRefusal {
  return { problem: 'bad-address', value, message: `The ${name} ${JSON.stringify(value)} is not an allowed address.` };
}

/** One address; null, submitted as an empty text, is none. */
export function uri<Name extends string>(description: UriDescription<Name>): Setting<string | null, Name> {
  const { name, isValid } = description;
  return {
    ...description,
    input: 'text',
    option: optionOf(name),
    choices: [],
    isFor: always,
    isChoiceFor: always,
    defaultFor: () => null,
    parse: ([text = ''], type) => {
      const typed = text.trim();
      if (typed === '') return { value: null };
      return isUri(typed) && isValid(typed, type) ? { value: typed } : { refusals: [refuseUri(name, typed)] };
    },
    toTexts: (value) => [value ?? ''],
    fromMetadata: readText,
    isWider: (after, before) => after !== null && after !== before,
    isNarrower: undefined,
  };
}

/** Any number of addresses, one per line or option. */
export function uris<Name extends string>(
  description: UriDescription<Name> & { readonly option: string; readonly max: number },
): Setting<readonly string[], Name> {
  const { name, max, isValid } = description;
  return {
    ...description,
    input: 'lines',
    choices: [],
    isFor: always,
    isChoiceFor: always,
    defaultFor: () => [],
    parse: (texts, type) => {
      const lines = texts.flatMap((text) => text.split(/\r\n|\r|\n/)).map((line) => line.trim());
      const value = [...new Set(lines.filter((line) => line !== ''))];
      if (value.length > max) {
        const message = `An application can have up to ${String(max)} ${name}.`;
        return { refusals: [{ problem: 'too-many', value: String(max), message }] };
      }
      const refusals = value.filter((one) => !isUri(one) || !isValid(one, type)).map((one) => refuseUri(name, one));
      return refusals.length > 0 ? { refusals } : { value };
    },
    fromMetadata: readLines,
    toTexts: (value) => value,
    isWider: (after, before) => after.some((one) => !before.includes(one)),
    isNarrower: undefined,
  };
}

function capitalize(type: ApplicationType): string {
  return type.slice(0, 1).toUpperCase() + type.slice(1);
}

/**
 * Values of client metadata (RFC 7591 §2), which are JSON, as settings are submitted. Each function accepts one JSON type and
 * returns undefined for every other.
 */
const maxText = 4096;
const maxTexts = 100;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxText;
}

function readFlag(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'boolean') return undefined;
  return value ? ['yes'] : [];
}

function readText(value: unknown): readonly string[] | undefined {
  return isText(value) ? [value] : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > maxTexts) return undefined;
  return value.every(isText) ? value : undefined;
}

/** Texts that are one line each, because a form gives one per line. */
function readLines(value: unknown): readonly string[] | undefined {
  const texts = readTexts(value);
  return texts?.some((text) => /[\r\n]/.test(text)) === true ? undefined : texts;
}

function readInteger(value: unknown): readonly string[] | undefined {
  return Number.isSafeInteger(value) ? [String(value)] : undefined;
}
