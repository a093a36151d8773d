/** The applications that documents describe. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import type { ApplicationType } from '../application-type.ts';
import { givenSettings, isAnyNarrower, setGivenColumns, toColumns } from '../protocol-settings/settings-sql.ts';
import { replaceRedirectUris } from '../registration-store.ts';
import type { DocumentedClient } from './read-document.ts';

interface Known {
  readonly name: string;
  /** Null: no document was ever stored. */
  readonly sha256: Buffer | null;
}

const knownStatement = statement<readonly [clientUrl: string], Known>(
  'metadata_document_known',
  `SELECT a.name, d.sha256 FROM application a LEFT JOIN client_metadata_document d ON d.client_id = a.client_id
    WHERE a.client_id = $1`,
);

export async function findKnownClient(tx: Queryable, clientUrl: string): Promise<Known | undefined> {
  const [row] = await tx.query(knownStatement, [clientUrl]);
  return row;
}

type ReplaceParams = readonly [
  clientUrl: string,
  name: string,
  type: ApplicationType,
  scopes: readonly string[],
  protocol: string,
  jwksUri: string | null,
  jwks: string | null,
  optionalScopes: readonly string[],
];

const replaceStatement = statement<ReplaceParams, never>(
  'metadata_document_replace',
  // A change that allows less raises the epoch, which revokes earlier tokens.
  `UPDATE application SET name = $2, type = $3::application_type, scopes = $4, jwks_uri = $6, jwks = $7::jsonb,
          optional_scopes = $8, ${setGivenColumns},
          epoch = application.epoch + CASE
            WHEN NOT COALESCE(application.scopes, '{}') <@ $4::text[] OR ${isAnyNarrower} THEN 1 ELSE 0 END
     FROM ${givenSettings('$5')}
    WHERE application.client_id = $1`,
);

/** Replaces everything that the document says, except links. */
export async function replaceClient(
  tx: Queryable,
  clientUrl: string,
  { type, settings }: Pick<DocumentedClient, 'type' | 'settings'>,
): Promise<void> {
  const { name, scopes, optionalScopes, protocol, jwksUri, jwks, redirectUris } = settings;
  await tx.query(replaceStatement, [
    clientUrl,
    name,
    type,
    scopes,
    toColumns(protocol),
    jwksUri ?? null,
    jwks === undefined ? null : JSON.stringify(jwks),
    optionalScopes,
  ]);
  await replaceRedirectUris(tx, clientUrl, redirectUris);
}
