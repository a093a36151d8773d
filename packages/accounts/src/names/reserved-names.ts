import { toNameKey, toNameKeys } from './skeleton.ts';

/** What the people who run a service are called. */
const roles = [
  'abuse',
  'admin',
  'administrator',
  'help',
  'helpdesk',
  'hostmaster',
  'moderation',
  'moderator',
  'noreply',
  'official',
  'operator',
  'postmaster',
  'root',
  'security',
  'staff',
  'support',
  'sysadmin',
  'system',
  'verified',
  'webmaster',
];

/** Words that change nothing about whom a name claims to be. */
const fillers = ['account', 'center', 'centre', 'desk', 'service', 'team', 'the'];

const roleKeys = roles.map(toNameKey);
const fillerKeys = fillers.map(toNameKey);

/**
 * True for a name that claims to be the service or its staff: it looks like the name of the service, a role, or nothing
 * but such words and numbers, as in `linnet_support`, `administrator1` and "Lіnnet Support Team". A name that only
 * contains such a word, such as "Elihu Root" or "Linnet fan", is not reserved. `others` are names of parts of the service.
 */
export function isReservedName(name: string, serviceName: string, others: readonly string[] = []): boolean {
  const telling = [serviceName, ...others].map(toNameKey).concat(roleKeys);
  const withoutNumbers = name.normalize('NFKC').replaceAll(/\p{N}+/gu, '');
  return [name, withoutNumbers, trimNumbers(name)]
    .flatMap(toNameKeys)
    .some((key) => isMadeOf(key, telling, [...telling, ...fillerKeys]));
}

/** Digits inside a name can stand for letters, as in `adm1n2`. */
function trimNumbers(name: string): string {
  return name.normalize('NFKC').replaceAll(/^[\p{N}_\s]+|[\p{N}_\s]+$/gu, '');
}

/** True if `key` is a sequence of `words`, at least one of them `telling`. Takes time in proportion to the length. */
function isMadeOf(key: string, telling: readonly string[], words: readonly string[]): boolean {
  // For each position: undefined if no sequence ends there, else whether one of its words is telling.
  const reached = new Map<number, boolean>([[0, false]]);
  for (let end = 1; end <= key.length; end += 1) {
    for (const word of words) {
      const before = reached.get(end - word.length);
      if (word === '' || before === undefined || !key.startsWith(word, end - word.length)) continue;
      reached.set(end, before || telling.includes(word) || reached.get(end) === true);
    }
  }
  return reached.get(key.length) === true;
}

/** True if the name of the service is one of the words of the name, or several in a row. */
export function hasServiceName(name: string, serviceName: string): boolean {
  const words = name
    .normalize('NFKC')
    .split(/[^\p{L}\p{M}\p{N}|]+/u)
    .filter((word) => word !== '');
  const service = toNameKey(serviceName);
  return words.some((_word, start) =>
    words
      .slice(start)
      .some((_other, length) => toNameKeys(words.slice(start, start + length + 1).join('')).includes(service)),
  );
}
