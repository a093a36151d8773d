import { join } from 'node:path';

import type { Secret } from '@linnet/service/secret';

export interface MailConfig {
  /** Undefined: mail is written to files, and nobody has to confirm an address. */
  readonly smtpUrl: Secret | undefined;
  /** The address that mail comes from. */
  readonly from: string;
  /** Where the files are. */
  readonly directory: string;
}

interface MailVariables {
  readonly smtpUrl: Secret | undefined;
  readonly from: string | undefined;
  readonly dataDir: string;
  readonly baseUrl: string;
}

/** What SMTP_URL and MAIL_FROM say, and what goes without saying. */
export function toMailConfig({ smtpUrl, from, dataDir, baseUrl }: MailVariables): MailConfig {
  return {
    smtpUrl,
    from: from ?? `no-reply@${new URL(baseUrl).hostname}`,
    directory: join(dataDir, 'mail'),
  };
}
