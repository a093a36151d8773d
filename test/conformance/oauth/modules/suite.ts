import type { JWTVerifyGetKey } from 'jose';
import { expect } from 'vitest';

import type { HttpPage } from '../../../support/http-browser.ts';
import type { RegisteredApplication, Visitor } from '../world.ts';
import type { Stage } from './module.ts';

/** A module of the OpenID Connect plans, and how the suite ends it if it does more than pass. */
export interface SuiteModule {
  run(suite: Suite): Promise<void>;
  /** The suite's conditions that end as a warning, with the reason. */
  readonly warns?: Readonly<Record<string, string>>;
  /** The page of which the suite wants a screenshot. A person has to judge it. */
  readonly reviews?: string;
  /** Why the suite skips the module. */
  readonly skips?: string;
  /** Why the suite says that the module failed. */
  readonly fails?: string;
}

/** By the names of the suite. */
export type SuiteModules = Readonly<Record<string, SuiteModule>>;

/** How the suite asks for the authorization response: as the query of the redirect URI, or posted to it. */
export type ResponseMode = 'default' | 'form_post';

/** What the suite noted while a module ran. Other failures than the documented ones are thrown. */
interface Noted {
  readonly warnings: readonly string[];
  readonly isReviewed: boolean;
  readonly isSkipped: boolean;
  readonly isFailed: boolean;
}

/** The suite, as a client of the service, while it runs one module. */
export interface Suite {
  readonly stage: Stage;
  readonly mode: ResponseMode;
  readonly app: RegisteredApplication;
  /** Another application of the same kind. */
  readonly second: RegisteredApplication;
  /** Stays signed in from one module to the next. */
  readonly visitor: Visitor;
  /** The keys of the service. */
  readonly keys: JWTVerifyGetKey;
  /** The bodies that the address for logout tokens of `second` received. */
  readonly logoutRequests: readonly URLSearchParams[];
  /** Notes a warning if the condition does not hold. */
  warnUnless(condition: string, holds: boolean): void;
  /** Notes that a person has to judge the page, which must be one of the service with this text. */
  review(page: HttpPage, text: string): void;
  skip(): void;
  fail(): void;
  noted(): Noted;
}

/** What the modules of all plans share. */
export type Setting = Pick<Suite, 'stage' | 'second' | 'visitor' | 'keys' | 'logoutRequests'>;

export function createSuite(setting: Setting, mode: ResponseMode): Suite {
  const { stage } = setting;
  const warnings: string[] = [];
  let isReviewed = false;
  let isSkipped = false;
  let isFailed = false;
  return {
    ...setting,
    mode,
    app: stage.world.web,
    warnUnless: (condition, holds) => {
      if (!holds) warnings.push(condition);
    },
    review: ({ url, html }, text) => {
      expect(url.origin).toBe(new URL(stage.world.issuer).origin);
      expect(html).toContain(text);
      isReviewed = true;
    },
    skip: () => {
      isSkipped = true;
    },
    fail: () => {
      isFailed = true;
    },
    noted: () => ({ warnings, isReviewed, isSkipped, isFailed }),
  };
}

/** What `run` has to note. */
export const expectedOf = ({ warns = {}, reviews, skips, fails }: SuiteModule): Noted => ({
  warnings: Object.keys(warns),
  isReviewed: reviews !== undefined,
  isSkipped: skips !== undefined,
  isFailed: fails !== undefined,
});

/** For the table of results. */
export function describeResult({ warns = {}, reviews, skips, fails }: SuiteModule): string {
  if (fails !== undefined) return `fails: ${fails}`;
  if (skips !== undefined) return `skipped: ${skips}`;
  if (reviews !== undefined) return `to review: ${reviews}`;
  const warnings = Object.entries(warns).map(([condition, reason]) => `\`${condition}\`, ${reason}`);
  return warnings.length === 0 ? 'passes' : `warning: ${warnings.join('; ')}`;
}
