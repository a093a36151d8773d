import type { Queryable } from '@linnet/db/statement/transaction';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';
import type { Secret } from '@linnet/service/config/secret';
import type { SiteLinks } from '@linnet/service/http/site-links';
import { formatServiceName } from '@linnet/ui/service-name';

import { createDelivery } from './delivery.ts';
import { createMailEvents } from './mail-events.ts';
import type { MailConfig } from './mail-config.ts';
import { createMailTransport } from './transport.ts';

interface MailJobOptions {
  readonly config: {
    readonly baseUrl: string;
    readonly serviceName: string;
    readonly siteLinks: SiteLinks;
    readonly mail: MailConfig;
  };
  readonly db: Queryable;
  readonly logger: Logger;
  /** The first of SECRET_KEYS. */
  readonly secret: Secret;
  readonly metrics: Metrics | undefined;
}

/** The job that sends queued mail. */
export function createMailJob({ config, db, logger, secret, metrics }: MailJobOptions): Job {
  const { baseUrl, serviceName, siteLinks, mail } = config;
  return createDelivery({
    db,
    baseUrl,
    serviceName: formatServiceName(serviceName),
    contact: siteLinks.contact,
    secret,
    from: mail.from,
    transport: createMailTransport(mail),
    events: createMailEvents({ db, logger, metrics }),
  });
}
