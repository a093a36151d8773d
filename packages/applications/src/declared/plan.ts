/** What applying a file changes, before it is done. */
import { isDeepStrictEqual } from 'node:util';

import type { RegisteredApi } from '../apis/api-store.ts';
import type { ApplicationNameRules } from '../application/application-name.ts';
import type { Application, ApplicationDatabase } from '../application/application-store.ts';
import type { SecretSource } from './declaration.ts';
import type { Document } from './declared-document.ts';
import type { DeclaredFacts } from './declared-store.ts';

/** The declarations cannot be applied; one line of `message` for each problem. Nothing has changed. */
export class DeclarationsRefused extends Error {
  override readonly name = 'DeclarationsRefused';
}

/** What applying the declarations changes. */
export interface Difference {
  readonly action: 'create' | 'change' | 'delete';
  readonly kind: 'application' | 'api';
  /** Its client id or identifier. */
  readonly id: string;
  /** The members that change, each before and after. Secrets are not shown. */
  readonly members: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
}

/** A difference, and the work that makes it. */
export interface Step {
  readonly difference: Difference;
  readonly apply: () => Promise<unknown>;
}

/** What is stored. */
export interface Stored {
  readonly applications: ReadonlyMap<string, Application>;
  readonly facts: ReadonlyMap<string, DeclaredFacts>;
  readonly apis: ReadonlyMap<string, RegisteredApi>;
  /** The identifiers of the APIs that a file has declared. */
  readonly declaredApis: readonly string[];
}

export interface ApplyOptions {
  readonly rules: ApplicationNameRules & { readonly baseUrl: string };
  /** Reads a secret that the file points to. */
  readonly readSecret: (source: SecretSource) => Promise<string>;
  readonly isDryRun: boolean;
  /** Deletes what an earlier file declared and this one does not. */
  readonly prunes: boolean;
}

export interface Context extends ApplyOptions {
  readonly db: ApplicationDatabase;
  readonly stored: Stored;
}

export function compare(before: Document, after: Document): Difference['members'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]));
}

/** Usernames are case-insensitive. */
export function isSameOwner(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
