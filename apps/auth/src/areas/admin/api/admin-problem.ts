import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode, ParameterProblem, Problem } from '@linnet/contract/errors';
import { errorTitle } from '@linnet/contract/error-titles';
import type { Language } from '@linnet/contract/languages';

interface Extras {
  readonly detail?: string;
  readonly errors?: readonly ParameterProblem[];
  /** The required one. */
  readonly scope?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request of the admin API is refused. */
export class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
  readonly code: ErrorCode;
  readonly extras: Extras;

  constructor(code: ErrorCode, extras: Extras = {}) {
    super(code);
    this.code = code;
    this.extras = extras;
  }
}

export function refuseParameter(parameter: string, code: ParameterProblem['code'], detail: string): AdminRefused {
  return new AdminRefused('invalid-parameter', { errors: [{ parameter, code, detail }] });
}

interface Occurrence {
  readonly baseUrl: string;
  readonly language: Language;
  readonly requestId: string;
}

/** The document (RFC 9457), as the API at /api/v2.0 sends it. */
export function toProblem({ code, extras }: AdminRefused, { baseUrl, language, requestId }: Occurrence): Problem {
  const { status, detail } = errorCatalogue[code];
  const { errors = [], scope } = extras;
  return {
    type: `${baseUrl}/problems/${code}`,
    title: errorTitle(code, language),
    ...{ status, detail: extras.detail ?? detail, code, errors, request_id: requestId },
    ...(scope === undefined ? {} : { scope }),
  };
}
