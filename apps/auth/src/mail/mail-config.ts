import { join } from 'node:path';

import type { Secret } from '@linnet/service/secret';

export interface MailConfig {
  /** Undefined: mail is written to files, and nobody has to verify an address. */
  readonly smtpUrl: Secret | undefined;
  /** The sender's address. */
  readonly from: string;
  /** For mail that is written to files. */
  readonly directory: string;
}

interface MailVariables {
  readonly smtpUrl: Secret | undefined;
  readonly from: string | undefined;
  readonly dataDir: string;
  readonly baseUrl: string;
}

/** Applies the defaults of SMTP_URL and MAIL_FROM. */
export function toMailConfig({ smtpUrl, from, dataDir, baseUrl }: MailVariables): MailConfig {
  return {
    smtpUrl,
    from: from ?? `no-reply@${new URL(baseUrl).hostname}`,
    directory: join(dataDir, 'mail'),
  };
}
