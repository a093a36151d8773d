import { ApiError, ConnectionError } from '@linnet/sdk';

import type { Language } from '../i18n/languages.ts';
import type { Texts } from '../i18n/en.ts';

interface Wording {
  readonly texts: Texts;
  readonly language: Language;
  readonly serviceName: string;
}

const busyCodes: ReadonlySet<string> = new Set(['overloaded', 'unavailable', 'internal-error', 'storage-full']);
const goneCodes: ReadonlySet<string> = new Set(['not-found', 'protected-account', 'not-owner']);
const pictureCodes: ReadonlySet<string> = new Set([
  'image-refused',
  'body-too-large',
  'unsupported-media-type',
  'media-not-usable',
  'media-attached',
]);

/** What went wrong, in plain words. */
export function describeProblem(error: unknown, { texts, language, serviceName }: Wording): string {
  const { problems } = texts;
  if (!navigator.onLine) return problems.offline;
  if (error instanceof ConnectionError) return problems.unreachable(serviceName);
  if (!(error instanceof ApiError)) return problems.unexpected;
  if (error.code === 'rate-limited') return problems.rateLimited(Math.ceil(error.retryAfterSeconds ?? 1), language);
  return (
    describeCode(error.code, texts, serviceName) ?? problems.other(error.title, error.requestId ?? String(error.status))
  );
}

/** Why a draft was not published at its time; nothing if it cannot be said in plain words. */
export function describeFailure(failure: string, { texts, serviceName }: Omit<Wording, 'language'>): string {
  const { drafts } = texts;
  if (failure === 'too-late') return drafts.tooLate(serviceName);
  if (failure === 'account-hidden') return drafts.accountHidden;
  if (failure === 'access-ended') return drafts.accessEnded;
  return describeCode(failure, texts, serviceName) ?? '';
}

function describeCode(code: string, { problems, drafts, quotes }: Texts, serviceName: string): string | undefined {
  if (code === 'draft-changed') return drafts.changed;
  if (code === 'too-many-drafts') return drafts.tooMany;
  if (code === 'insufficient_scope') return problems.notAllowed;
  if (code === 'quotes-restricted') return quotes.refused;
  if (code === 'comments-restricted') return problems.noComments;
  if (code === 'too-many-edits') return problems.tooManyEdits;
  if (busyCodes.has(code)) return problems.busy(serviceName);
  if (goneCodes.has(code)) return problems.gone;
  return pictureCodes.has(code) ? problems.picture : undefined;
}
