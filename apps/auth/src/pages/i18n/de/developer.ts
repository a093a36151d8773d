import type { RedirectUriProblem } from '@linnet/applications/application/redirect-uri-policy';
import type { RichText } from '../text-types.ts';
import * as applicationPages from './application-pages.ts';
import * as applicationSettings from './application-settings.ts';
import { failures } from './failures.ts';
import { playground } from './playground.ts';

/** What is wrong with a redirect URI; the text follows the URI, in German. */
const redirectUriProblems: Readonly<Record<RedirectUriProblem, string>> = {
  'too-long': 'ist länger als 2048 Zeichen.',
  'not-ascii':
    'enthält ein Leerzeichen, einen Backslash oder ein Zeichen außerhalb von ASCII. Schreibe solche Zeichen prozentkodiert.',
  'not-absolute': 'ist keine vollständige Adresse wie https://app.example.com/callback.',
  fragment: 'hat ein Fragment. Lass das # und was darauf folgt weg.',
  userinfo: 'nennt vor dem Host einen Benutzernamen oder ein Passwort. Lass beides weg.',
  'insecure-scheme': 'verwendet http. Das dürfen nur localhost, 127.0.0.1 und [::1]; jeder andere Host braucht https.',
  'unsupported-scheme': 'beginnt nicht mit https://. Eigene Schemata dürfen nur native Anwendungen haben.',
  'reserved-scheme': 'hat ein Schema, das Browser oder Betriebssysteme selbst verwenden. Nimm ein eigenes.',
  'scheme-without-dot':
    'hat ein Schema, das kein umgedrehter Domainname ist, und danach kein ://. Nimm eines wie com.example.app:/callback.',
  'loopback-https': 'verwendet https für das Gerät selbst, für das es kein Zertifikat geben kann. Verwende http.',
  'wildcard-host': 'hat ein * im Host. Nenne jeden Host in einer eigenen Zeile.',
  'encoded-control': 'enthält ein kodiertes Steuerzeichen oder eine fehlerhafte Prozentkodierung.',
  'dot-segment': 'hat „.“ oder „..“ im Pfad. Schreibe den gemeinten Pfad aus.',
  'reserved-parameter':
    'hat einen Query-Parameter, den die Antwort selbst mitbringt, etwa code, iss, error oder scope.',
  'bad-state': 'hat einen Parameter state, der mehrfach vorkommt oder kein Base64 ist.',
  'not-normal': 'steht nicht in seiner Normalform: Schreibe Schema und Host klein und lass den üblichen Port weg.',
  'own-service': 'gehört zu diesem Dienst. Verwende die Adresse deiner Anwendung.',
};

/** Texts of the pages of a developer's APIs. */
const apis = {
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
  streams: {
    title: 'Sicherheitsereignisse',
    none: 'Deine API hat keinen Ereignisstrom. Ihre Anwendung kann einen anlegen, damit deine API innerhalb einer Sekunde von widerrufenen Tokens erfährt.',
    polled: 'Wird von deiner API abgeholt',
    states: { on: 'an', paused: 'angehalten', off: 'aus' },
    failing: (time: string) => `seit ${time} kam kein Ereignis an`,
    lastEvent: (time: string) => `letztes Ereignis: ${time}`,
    lastStatus: (status: number) => `letzte Antwort: Status ${String(status)}`,
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

/** Texts of the developer area, in German. */
export const developer = {
  apis,
  list: {
    title: 'Meine Anwendungen',
    apis: 'Deine eigene API schützen',
    intro: 'Anwendungen verwenden die API im eigenen Namen und im Namen derer, die sie zulassen.',
    create: 'Anwendung erstellen',
    empty: 'Du hast noch keine Anwendung. Erstelle eine, um eine Client-ID und dein erstes Token zu erhalten.',
    deleted: 'Die Anwendung wurde gelöscht.',
    unconfirmed:
      'Deine E-Mail-Adresse ist noch nicht bestätigt. Deine Anwendungen arbeiten trotzdem; wen sie um Zugriff bitten, erfährt es aber.',
    unconfirmedAccess:
      'Bis du sie bestätigst, können sie nicht für dein Konto handeln. Die Bestätigung hält sie an und löscht ihre Geheimnisse und Schlüssel, falls jemand anderes sie erstellt hat.',
    confirm: 'Adresse bestätigen',
    clientId: 'Client-ID',
    created: (day: string) => `Erstellt am ${day}`,
    suspended: 'Gesperrt',
  },
  types: {
    confidential: { label: 'Vertraulich' },
    public: { label: 'Öffentlich' },
    native: { label: 'Nativ' },
  },
  form: {
    name: 'Name',
    nameHint: 'Ihn sieht, wer gebeten wird, die Anwendung zuzulassen.',
    redirectUris: 'Redirect-URIs',
    redirectUrisHint:
      'Wohin man nach der Entscheidung zurückkehrt, eine Adresse je Zeile, genau wie die Anwendung sie senden wird. Mit https, für localhost auch http; native auch com.example.app:/callback. Bleibt leer, wenn sich niemand damit anmeldet.',
    redirectUrisWarning:
      'Ein Schema ohne Punkt kann jede App auf dem Gerät für sich beanspruchen und so den Autorisierungscode erhalten. PKCE schützt den Code; ein umgedrehter Domainname wie com.example.app:/callback ist noch sicherer.',
    scope: 'Berechtigungen',
    scopeHint: 'Das Höchste, worum die Anwendung bitten kann, in den Worten, die andere lesen werden.',
    scopeUse: 'Für andere ist das',
    scopeRequired: 'nötig',
    scopeOptional: 'freiwillig: sie können es abwählen',
    scopeReason: 'Wozu du darum bittest, in einem Satz, den andere lesen (freiwillig)',
    jwksUri: 'Adresse ihrer Schlüssel (JWKS)',
    jwksUriHint:
      'Für eine Anwendung, die ihre Anfragen signiert (private_key_jwt) und kein Geheimnis bekommt: eine https-Adresse mit ihren öffentlichen Schlüsseln, ES256, PS256, EdDSA oder RS256.',
    implicit: 'response_type=token erlauben',
    implicitWarning:
      'Übergibt das Zugriffstoken in der Adresszeile. Nur für alte Clients: Der Autorisierungscode mit PKCE ist sicherer und geht überall.',
    actAsOwner: 'Sie darf als mein eigenes Konto handeln',
    actAsOwnerText:
      'Mit ihren eigenen Zugangsdaten (client credentials) kann sie in deinem Namen schreiben, „Gefällt mir“ vergeben und folgen. Zurücknehmen kannst du das unter „Verbundene Apps“.',
    confidentialOnly: 'Nur für vertrauliche Anwendungen.',
    errors: {
      nameBlank: 'Gib einen Namen ein.',
      nameTooLong: 'Der Name darf höchstens 60 Zeichen haben.',
      typeMissing: 'Wähle eine Art.',
      scopeUnknown: (scope: string) => `Die Berechtigung „${scope}“ gibt es nicht.`,
      scopeReasonTooLong: (scope: string) => `Der Grund für „${scope}“ darf höchstens 200 Zeichen haben.`,
      scopeReasonUnprintable: (scope: string) =>
        `Der Grund für „${scope}“ enthält ein Zeichen, das sich nicht anzeigen lässt.`,
      redirectUrisTooMany: 'Eine Anwendung kann höchstens 20 Redirect-URIs haben.',
      jwksNotConfidential: 'Nur eine vertrauliche Anwendung kann eigene Schlüssel haben.',
      jwksUriBad: 'Gib eine https-Adresse ohne Port wie https://app.example.com/jwks.json ein, oder nichts.',
      jwksUriMissing: 'Die Anwendung hat kein Geheimnis: Sie braucht diese Adresse.',
      jwksNone: 'Gib eine https-Adresse oder ein JWK Set als JSON ein.',
      jwksMalformed: 'Die Schlüssel lassen sich nicht verwenden.',
      implicitStrict: 'Strenge Anwendungen können das nicht verwenden.',
      implicitNative: 'Eine native Anwendung kann das nicht verwenden: Wähle eine andere Art oder lass dies aus.',
      implicitWithoutRedirectUri: 'Dafür braucht es eine Redirect-URI, an die das Token übergeben wird.',
      redirectUri: (uri: string, problem: RedirectUriProblem) => `${uri} ${redirectUriProblems[problem]}`,
      tooManyApplications: 'Du hast so viele Anwendungen, wie ein Konto haben kann. Lösche zuerst eine.',
    },
  },
  create: {
    title: 'Anwendung erstellen',
    intro: 'Drei Fragen. Für alles andere gibt es Vorgaben, die du später ändern kannst.',
    kind: 'Welche Art von Anwendung ist es?',
    kindHint: 'Davon hängt ab, ob sie ein Geheimnis erhält. Später lässt sich das nicht ändern.',
    kinds: {
      confidential: {
        label: 'Website mit Server',
        text: 'Menschen melden sich an. Dein Server bewahrt das Geheimnis.',
      },
      public: {
        label: 'Anwendung im Browser',
        text: 'Menschen melden sich an. Ein Browser kann kein Geheimnis bewahren, deshalb verwendet sie PKCE.',
      },
      native: {
        label: 'Anwendung auf Telefon oder Computer',
        text: 'Menschen melden sich an. Sie kann kein Geheimnis bewahren und verwendet PKCE. Auch für Programme der Kommandozeile.',
      },
      backend: {
        label: 'Backend, Bot oder Skript',
        text: 'Niemand meldet sich an. Sie bewahrt ein Geheimnis und handelt in eigenem Namen oder in deinem.',
      },
    },
    redirectUrisHint:
      'Wohin man nach der Anmeldung zurückkehrt: eine Adresse je Zeile, genau wie die Anwendung sie senden wird. Mit https, für localhost auch http; native auch com.example.app:/callback. Du kannst sie später ergänzen.',
    submit: 'Anwendung erstellen',
    cancel: 'Abbrechen',
  },
  credentials: {
    createdTitle: 'Anwendung erstellt',
    secretTitle: 'Neues Geheimnis',
    clientId: 'Client-ID',
    clientSecret: 'Client-Geheimnis',
    secretOnce:
      'Kopiere das Geheimnis jetzt und bewahre es sicher auf. Es wird nur dieses eine Mal gezeigt; wir behalten nur einen Fingerabdruck davon.',
    noSecret:
      'Diese Anwendung kann kein Geheimnis bewahren und hat deshalb keines. Sie meldet Leute über den Autorisierungscode mit PKCE (S256) an.',
    ownKeys:
      'Sie weist sich aus, indem sie ihre Anfragen mit eigenen Schlüsseln signiert (private_key_jwt), und hat deshalb kein Geheimnis.',
    continue: 'Zur Anwendung',
  },
  ...applicationPages,
  ...applicationSettings,
  playground,
  testPeople: {
    title: 'Testpersonen',
    intro:
      'Konten, mit denen du deine Anwendungen ausprobierst. Nur deine eigenen Anwendungen sehen sie und was sie schreiben; für alle anderen gibt es sie nicht.',
    use: 'Melde dich unter „Ausprobieren“ einer Anwendung als eine von ihnen an. Testpersonen haben kein Passwort und bekommen keine E-Mails. Sie lesen alles Öffentliche, können aber nur einander folgen, erwähnen und auf Beiträge voneinander reagieren.',
    empty: 'Du hast noch keine Testpersonen.',
    create: 'Testperson anlegen',
    enough: (count: number) => `Das sind alle: höchstens ${String(count)} Testpersonen sind möglich.`,
    later: 'Heute wurden zu viele Testpersonen angelegt. Versuche es später noch einmal.',
    edit: 'Umbenennen oder löschen',
    username: 'Benutzername',
    firstName: 'Vorname',
    lastName: 'Nachname',
    save: 'Speichern',
    deleteText: 'Löscht das Konto und alles, was es geschrieben hat, endgültig.',
    delete: 'Diese Testperson löschen',
    done: {
      created: 'Testperson angelegt.',
      saved: 'Änderungen gespeichert.',
      deleted: 'Testperson gelöscht.',
    },
    errors: {
      username: 'Verwende 5 bis 32 Buchstaben, Ziffern und Unterstriche.',
      name: 'Gib einen Namen mit erlaubter Länge ein.',
      taken: 'Dieser Benutzername ist vergeben oder reserviert.',
      tooMany: 'Diese Testperson wurde zu oft umbenannt. Versuche es später noch einmal.',
      refused: 'Dieser Name ist nicht erlaubt.',
    },
  },
  failures,
  watched: {
    title: 'Erfolgreiche Anfragen',
    intro: (minutes: number) =>
      `Die letzten 100, auch Tokens, mit den Anfrage-IDs ihrer Antworten. Sie werden eine Stunde lang aufbewahrt, und nur solange du zusiehst: jeweils ${String(minutes)} Minuten.`,
    watch: (minutes: number) => `${String(minutes)} Minuten lang zusehen`,
    until: (time: string) => `Angezeigt wird bis ${time}.`,
    reload: 'Neu laden',
    stop: 'Beenden',
    none: 'In der letzten Stunde wurden keine erfolgreichen Anfragen aufgezeichnet.',
    waiting: 'Noch keine erfolgreichen Anfragen. Lade die Seite eine Sekunde nach der nächsten neu.',
  },
  application: {
    clientId: 'Client-ID',
    type: 'Art',
    created: 'Erstellt',
    suspended: 'Die Administration hat diese Anwendung gesperrt. Ihre Tokens werden abgelehnt.',
    saved: 'Die Änderungen wurden gespeichert.',
    secretRetired: 'Das Geheimnis wurde zurückgezogen. Es gilt nicht mehr.',
    alreadyCreated:
      'Dieses Formular wurde schon gesendet: Die Anwendung gibt es bereits. Hat sie ein Geheimnis, wurde es dabei gezeigt; fehlt es dir, füge ein weiteres hinzu.',
    alreadyAdded:
      'Dieses Formular wurde schon gesendet: Das Geheimnis gibt es bereits, und es wurde dabei gezeigt. Fehlt es dir, zieh es zurück und füge ein weiteres hinzu.',
    save: 'Änderungen speichern',
    ownKeys:
      'Diese Anwendung signiert ihre Anfragen mit eigenen Schlüsseln (private_key_jwt) und hat deshalb keine Geheimnisse.',
    remove: 'Anwendung löschen',
    removeText:
      'Sie bekommt keine Tokens mehr, die vorhandenen enden binnen einer Sekunde, und alle, die sie zugelassen haben, werden getrennt. Das lässt sich nicht rückgängig machen.',
    confirm: (name: RichText): RichText => ['Gib zur Bestätigung den Namen ein: ', name],
    confirmWrong: 'Das ist nicht der Name der Anwendung.',
    removeSubmit: 'Diese Anwendung löschen',
  },
};
