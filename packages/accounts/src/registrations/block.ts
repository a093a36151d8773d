/** Blocks of registrations: their kinds and values, and which one applies to a registration. */
import { BlockList, isIP } from 'node:net';

import { isPrintable } from '@linnet/contract/name-text';
import { blockActs, blockKinds } from '@linnet/contract/registration-block';
import type { BlockAct, BlockKind } from '@linnet/contract/registration-block';
import { LRUCache } from 'lru-cache';

import { toMailDomain } from '../mailbox.ts';
import { nameFields } from '../names/name-rules.ts';
import type { NameField } from '../names/name-rules.ts';
import { toNameKey, toNameKeys } from '../names/skeleton.ts';

export interface BlockRule {
  readonly kind: BlockKind;
  /** By `toBlockValue`. */
  readonly value: string;
  readonly act: BlockAct;
}

/** Somebody who wants to register. */
export interface Newcomer {
  readonly email: string;
  /** The hosts that take mail for the address, if they were looked up. */
  readonly mailServers?: readonly string[];
  /** IP address; empty if the connection is closed. */
  readonly address: string;
  readonly names: readonly string[];
}

/** The strictest block that matches. */
export function findBlock(rules: readonly BlockRule[], newcomer: Newcomer): BlockRule | undefined {
  const matches = createMatchers(newcomer);
  const matching = rules.filter(({ kind, value }) => matches[kind](value));
  return blockActs.flatMap((act) => matching.filter((rule) => rule.act === act))[0];
}

type Matches = (value: string) => boolean;

/** The words of blocks are compared with every name, and making a key is slow. */
const wordKeys = new LRUCache<string, string>({ max: 10_000, memoMethod: toNameKey });

function createMatchers({ email, mailServers = [], address, names }: Newcomer): Readonly<Record<BlockKind, Matches>> {
  const domains = new Set(domainsOf(email));
  const servers = new Set(mailServers.flatMap(domainsOf));
  const nameKeys = names.flatMap(toNameKeys);
  return {
    mail_domain: (value) => domains.has(value),
    mail_server: (value) => servers.has(value),
    network: (value) => isInNetwork(address, value),
    word: (value) => {
      const word = wordKeys.memo(value);
      return nameKeys.some((key) => key.includes(word));
    },
  };
}

const createWordMatcher = (names: readonly string[]) => createMatchers({ email: '', address: '', names }).word;

type Names = Readonly<Record<NameField, string>>;

/** The name that would get a word which a block refuses or lets an operator decide about, and which the account does not have yet. */
export function findBlockedName(rules: readonly BlockRule[], before: Names, after: Names): NameField | undefined {
  const words = rules.filter(({ kind, act }) => kind === 'word' && act !== 'mark');
  const had = createWordMatcher(nameFields.map((field) => before[field]));
  const added = words.filter(({ value }) => !had(value));
  return nameFields.find((field) => added.some(({ value }) => createWordMatcher([after[field]])(value)));
}

/** The domain of an address or a host, and those that it is a sub-domain of. */
export function domainsOf(email: string): readonly string[] {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.');
  return labels.map((_label, start) => labels.slice(start).join('.'));
}

function isInNetwork(address: string, network: string): boolean {
  const [bare = ''] = address.split('%');
  const family = familyOf(bare);
  const [start = '', bits = ''] = network.split('/');
  if (family === undefined || family !== familyOf(start)) return false;
  const list = new BlockList();
  list.addSubnet(start, Number(bits), family);
  return list.check(bare, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** One letter is part of nearly every name. */
const minWord = 2;
const maxWord = 100;

/** What a block is about, in one spelling. `undefined`: the text is not of this kind. */
export function toBlockValue(kind: BlockKind, text: string): string | undefined {
  const trimmed = text.trim();
  if (kind === 'word') return toWord(trimmed);
  return kind === 'network' ? toNetwork(trimmed) : toMailDomain(trimmed.replace(/^(?:@|\*\.)/, ''));
}

/** Larger networks are a slip. */
const minBits = { ipv4: 8, ipv6: 16 } as const;
const maxBits = { ipv4: 32, ipv6: 128 } as const;

/** The database clears the bits behind the network. Addresses of clients are never IPv4 in IPv6, nor do they have a zone. */
function toNetwork(text: string): string | undefined {
  const [, address = '', given] = /^([\d.]+|[\da-f:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const family = familyOf(address);
  if (family === undefined) return undefined;
  const bits = Number(given ?? maxBits[family]);
  if (bits < minBits[family] || bits > maxBits[family]) return undefined;
  return `${address.toLowerCase()}/${String(bits)}`;
}

function toWord(text: string): string | undefined {
  const word = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ');
  return word.length <= maxWord && isPrintable(word) && toNameKey(word).length >= minWord ? word : undefined;
}

/** What operators choose from. */
export const blockChoices = { kind: blockKinds, act: blockActs } as const;

/** A block as operators write it. */
export const blockFields = ['kind', 'value', 'act', 'until', 'note'] as const;
export type BlockField = (typeof blockFields)[number];

/** What each field has to be. */
export const blockFieldRules: Readonly<Record<BlockField, string>> = {
  kind: `one of ${blockKinds.join(', ')}`,
  value:
    'a domain such as example.org, a network such as 192.0.2.0/24 or 2001:db8::/32 (at least /8 or /16), or a word of 2 to 100 characters',
  act: `one of ${blockActs.join(', ')}`,
  until: 'a day such as 2027-01-31, or a time with its zone, such as 2027-01-31T12:00:00Z',
  note: 'at most 200 characters, on one line',
};

export type WrittenBlock = Readonly<Record<BlockField, string>>;

export interface NewBlock extends BlockRule {
  /** For operators. */
  readonly note: string;
  /** Null: it has no end. */
  readonly expiresAt: Date | null;
}

export type ParsedBlock =
  | { readonly block: NewBlock; readonly wrong?: undefined }
  | { readonly block?: undefined; readonly wrong: readonly BlockField[] };

const maxNote = 200;

/** The block, or which fields are wrong. */
export function parseBlock(written: WrittenBlock): ParsedBlock {
  const kind = blockKinds.find((one) => one === written.kind);
  const act = blockActs.find((one) => one === written.act);
  const value = kind === undefined ? undefined : toBlockValue(kind, written.value);
  const expiresAt = parseMoment(written.until.trim());
  const note = written.note.trim();
  const hasNote = note === '' || (note.length <= maxNote && isPrintable(note));
  if (kind !== undefined && act !== undefined && value !== undefined && expiresAt !== undefined && hasNote) {
    return { block: { kind, value, act, note, expiresAt } };
  }
  const found = { kind, act, value, until: expiresAt, note: hasNote ? note : undefined };
  // Without a kind, nothing is known about the value.
  const isWrong = (field: BlockField) => found[field] === undefined && !(field === 'value' && kind === undefined);
  return { wrong: blockFields.filter(isWrong) };
}

// Years of four digits, which PostgreSQL reads.
const firstEnd = Date.parse('0001-01-01');
const endOfTime = Date.parse('9999-12-31T24:00:00Z');

/** A day in UTC, or a time with its zone. Null for none; `undefined` for another text. */
export function parseMoment(text: string): Date | null | undefined {
  if (text === '') return null;
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const [date, start] = [new Date(text), new Date(day ?? '')];
  const exists = [date, start].every((one) => one.getTime() >= firstEnd && one.getTime() < endOfTime);
  return exists && start.toISOString().slice(0, 10) === day ? date : undefined;
}
