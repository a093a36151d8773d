import { join } from 'node:path';

import type { Secret } from '@linnet/service/config/secret';

export interface MailConfig {
  /** Undefined: mail is written to files, and nobody has to verify an address. */
  readonly smtpUrl: Secret | undefined;
  /** Fail instead of sending in clear text; smtps:// never does. */
  readonly smtpRequireTls: boolean;
  /** The sender's address. */
  readonly from: string;
  /** For mail that is written to files. */
  readonly directory: string;
}

interface MailVariables {
  readonly smtpUrl: Secret | undefined;
  readonly smtpRequireTls: boolean;
  readonly from: string | undefined;
  readonly dataDir: string;
  readonly baseUrl: string;
}

/** Applies the defaults of SMTP_URL and MAIL_FROM. */
export function toMailConfig({ smtpUrl, smtpRequireTls, from, dataDir, baseUrl }: MailVariables): MailConfig {
  return {
    smtpUrl,
    smtpRequireTls,
    from: from ?? `no-reply@${new URL(baseUrl).hostname}`,
    directory: join(dataDir, 'mail'),
  };
}
