import type { RichText } from '../rich-text.ts';

/** Texts of the pages of a developer's APIs. */
export const apis = {
  title: 'Meine APIs',
  intro:
    'Deine eigene API, zum Beispiel ein MCP-Server, kann Tokens dieses Dienstes annehmen. Menschen stimmen ihren Scopes zu, und Anwendungen nennen sie mit dem Parameter „resource“.',
  create: 'API registrieren',
  empty: 'Du hast noch keine API registriert.',
  deleted: 'API gelöscht.',
  save: 'Änderungen speichern',
  done: {
    created: 'API registriert.',
    saved: 'Änderungen gespeichert.',
    proven: 'Die Adresse ist bestätigt.',
    'already-created': 'Du hast diesen Identifier schon registriert.',
  },
  scopeRemoval:
    'Wenn du einen Scope entfernst, gilt er für niemanden mehr als erteilt, und frühere Tokens sind nicht mehr aktiv.',
  remove: 'Diese API löschen',
  removeText:
    'Menschen und Anwendungen verlieren ihre Scopes sofort. Wenn du sie wieder registrierst, müssen Menschen neu zustimmen.',
  removeSubmit: 'API löschen',
  history: {
    intro:
      'Was mit deinen APIs geschehen ist, auch mit gelöschten, das Neueste zuerst. Einträge lassen sich weder ändern noch entfernen.',
    events: {
      'api.created': 'API registriert',
      'api.changed': 'Einstellungen der API gespeichert',
      'api.deleted': 'API gelöscht',
    },
    name: (name: string) => `Name: ${name}`,
    descriptions: 'Beschreibungen der Scopes',
    proof: 'Bestätigung der Adresse',
  },
  form: {
    identifier: 'Adresse (Identifier)',
    identifierHint:
      'Die https-Adresse deiner API, zum Beispiel https://notes.example.com/mcp. Sie ist die Audience der Tokens und lässt sich nicht ändern.',
    scopes: 'Berechtigungen (Scopes)',
    scopesHint:
      'Einer pro Zeile: der Name, ein Leerzeichen und was er erlaubt, zum Beispiel „notes:read Deine Notizen lesen“. Menschen sehen die Beschreibung.',
    client: 'Anwendung, die Tokens prüft (Introspection)',
    clientHint:
      'Mit ihren Zugangsdaten kann deine API Tokens prüfen. Ohne sie prüfst du Tokens mit den veröffentlichten Schlüsseln.',
    noClient: 'Keine',
    accessTokenAlg: 'Signatur der Access-Tokens',
    accessTokenAlgHint: 'ES256, außer dein Gateway oder deine Bibliothek kennt nur RS256.',
  },
  proof: {
    title: 'Adresse bestätigen',
    proven: (address: RichText): RichText => ['Bestätigt: ', address, ' nennt diesen Dienst.'],
    unproven: (address: RichText, issuer: RichText): RichText => [
      'Die Zustimmungsseite sagt, es sei nicht bestätigt, dass du diese Adresse betreibst. Stelle die Metadaten deiner API (RFC 9728) unter ',
      address,
      ' bereit, mit ',
      issuer,
      ' bei „authorization_servers“. Prüfe sie dann.',
    ],
    submit: 'Adresse prüfen',
    failed: 'Die Adresse ist nicht bestätigt: Es gibt keine Metadaten dieser API, die diesen Dienst nennen.',
  },
  errors: {
    tooMany: 'Du kannst bis zu 10 APIs registrieren. Lösche zuerst eine.',
    client: 'Wähle eine deiner vertraulichen Anwendungen.',
    identifier: {
      'too-long': 'Der Identifier ist länger als 512 Zeichen.',
      malformed: 'Das ist keine normalisierte https-URL wie https://api.example.com/notes.',
      fragment: 'Entferne das # und alles danach.',
      query: 'Entferne das ? und alles danach.',
      'insecure-scheme': 'Verwende https; http ist nur für localhost, 127.0.0.1 und [::1] erlaubt.',
      'own-service': 'Diese Adresse gehört zu diesem Dienst. Verwende die Adresse deiner eigenen API.',
      taken: 'Dieser Identifier ist schon registriert.',
    },
    scopes: {
      none: (_scope: string) => 'Gib mindestens einen Scope ein.',
      'too-many': (_scope: string) => 'Eine API kann bis zu 30 Scopes haben.',
      malformed: (scope: string) =>
        `${scope} ist kein gültiger Name: bis zu 64 sichtbare ASCII-Zeichen ohne ", \\ und #.`,
      reserved: (scope: string) => `${scope} ist ein Scope dieses Dienstes oder von OpenID Connect.`,
      repeated: (scope: string) => `${scope} steht zweimal in der Liste.`,
      undescribed: (scope: string) => `${scope} braucht eine Beschreibung mit bis zu 200 Zeichen.`,
      unprintable: (scope: string) =>
        `Die Beschreibung von ${scope} enthält ein Zeichen, das sich nicht anzeigen lässt.`,
    },
  },
};
