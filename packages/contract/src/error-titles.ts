import { errorCatalogue } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** Languages of problem titles; English comes first: it is taken when nothing else fits (decisions D59). */
export const titleLanguages = ['en', 'de', 'fr', 'es'] as const;

export type TitleLanguage = (typeof titleLanguages)[number];

type Titles = Readonly<Record<ErrorCode, string>>;

const german: Titles = {
  'invalid-parameter': 'Ein Parameter fehlt oder ist fehlerhaft',
  'malformed-body': 'Der Inhalt der Anfrage ist nicht lesbar',
  'token-required': 'Ein Zugriffstoken ist erforderlich',
  invalid_token: 'Das Zugriffstoken ist nicht gültig',
  insufficient_scope: 'Dem Zugriffstoken fehlt eine Berechtigung',
  'user-context-required': 'Das Zugriffstoken handelt für kein Konto',
  'wrong-password': 'Das Passwort ist falsch',
  'prefetch-refused': 'Eine Anfrage, die etwas ändert, wird nicht im Voraus beantwortet',
  'media-not-usable': 'Die Mediendatei kann hier nicht verwendet werden',
  'protected-account': 'Das Konto ist geschützt',
  'not-owner': 'Der Eintrag gehört jemand anderem',
  'not-found': 'Diesen Eintrag gibt es nicht',
  'unknown-endpoint': 'Diesen Endpunkt gibt es nicht',
  'unknown-version': 'Diese Version der API gibt es nicht',
  'method-not-allowed': 'Die Methode ist hier nicht erlaubt',
  'accept-required': 'Die Anfrage muss application/json annehmen',
  'email-taken': 'Die E-Mail-Adresse ist vergeben',
  'username-taken': 'Der Benutzername ist vergeben',
  'idempotency-in-progress': 'Derselbe Aufruf wird gerade beantwortet',
  'media-attached': 'Die Mediendatei gehört schon zu einem Beitrag',
  'body-too-large': 'Der Inhalt der Anfrage ist zu groß',
  'unsupported-media-type': 'Der Inhalt der Anfrage hat einen nicht unterstützten Typ',
  'idempotency-key-reused': 'Der Idempotenzschlüssel gehört zu einem anderen Aufruf',
  'image-refused': 'Die Datei ist kein PNG oder JPEG, das angenommen werden kann',
  'rate-limited': 'Zu viele Aufrufe',
  overloaded: 'Der Dienst ist gerade ausgelastet',
  'internal-error': 'Bei uns ist ein Fehler aufgetreten',
  unavailable: 'Der Dienst ist gerade nicht verfügbar',
  'storage-full': 'Die Datei kann gerade nicht gespeichert werden',
};

const french: Titles = {
  'invalid-parameter': 'Un paramètre manque ou est incorrect',
  'malformed-body': 'Le contenu de la requête est illisible',
  'token-required': 'Un jeton d’accès est requis',
  invalid_token: 'Le jeton d’accès n’est pas valable',
  insufficient_scope: 'Il manque une autorisation au jeton d’accès',
  'user-context-required': 'Le jeton d’accès n’agit pour aucun compte',
  'wrong-password': 'Le mot de passe est incorrect',
  'prefetch-refused': 'Une requête qui modifie quelque chose ne reçoit pas de réponse anticipée',
  'media-not-usable': 'Le fichier média ne peut pas être utilisé ici',
  'protected-account': 'Le compte est protégé',
  'not-owner': 'L’élément appartient à quelqu’un d’autre',
  'not-found': 'Cet élément n’existe pas',
  'unknown-endpoint': 'Ce point d’accès n’existe pas',
  'unknown-version': 'Cette version de l’API n’existe pas',
  'method-not-allowed': 'La méthode n’est pas permise ici',
  'accept-required': 'La requête doit accepter application/json',
  'email-taken': 'L’adresse e-mail est déjà utilisée',
  'username-taken': 'Le nom d’utilisateur est déjà pris',
  'idempotency-in-progress': 'Le même appel est en cours de traitement',
  'media-attached': 'Le fichier média appartient déjà à une publication',
  'body-too-large': 'Le contenu de la requête est trop volumineux',
  'unsupported-media-type': 'Le type du contenu de la requête n’est pas pris en charge',
  'idempotency-key-reused': 'La clé d’idempotence appartient à un autre appel',
  'image-refused': 'Le fichier n’est pas un PNG ou un JPEG qui puisse être accepté',
  'rate-limited': 'Trop d’appels',
  overloaded: 'Le service est saturé pour le moment',
  'internal-error': 'Une erreur s’est produite de notre côté',
  unavailable: 'Le service est indisponible pour le moment',
  'storage-full': 'Le fichier ne peut pas être enregistré pour le moment',
};

const spanish: Titles = {
  'invalid-parameter': 'Falta un parámetro o es incorrecto',
  'malformed-body': 'El contenido de la solicitud no se puede leer',
  'token-required': 'Se necesita un token de acceso',
  invalid_token: 'El token de acceso no es válido',
  insufficient_scope: 'Al token de acceso le falta un permiso',
  'user-context-required': 'El token de acceso no actúa en nombre de ninguna cuenta',
  'wrong-password': 'La contraseña es incorrecta',
  'prefetch-refused': 'Una solicitud que cambia algo no se responde por adelantado',
  'media-not-usable': 'El archivo multimedia no se puede usar aquí',
  'protected-account': 'La cuenta está protegida',
  'not-owner': 'El elemento pertenece a otra persona',
  'not-found': 'Este elemento no existe',
  'unknown-endpoint': 'Este punto de acceso no existe',
  'unknown-version': 'Esta versión de la API no existe',
  'method-not-allowed': 'El método no está permitido aquí',
  'accept-required': 'La solicitud debe aceptar application/json',
  'email-taken': 'La dirección de correo electrónico ya está en uso',
  'username-taken': 'El nombre de usuario ya está ocupado',
  'idempotency-in-progress': 'La misma llamada se está respondiendo ahora',
  'media-attached': 'El archivo multimedia ya pertenece a una publicación',
  'body-too-large': 'El contenido de la solicitud es demasiado grande',
  'unsupported-media-type': 'El tipo del contenido de la solicitud no se admite',
  'idempotency-key-reused': 'La clave de idempotencia pertenece a otra llamada',
  'image-refused': 'El archivo no es un PNG o JPEG que se pueda aceptar',
  'rate-limited': 'Demasiadas llamadas',
  overloaded: 'El servicio está saturado en este momento',
  'internal-error': 'Se ha producido un error por nuestra parte',
  unavailable: 'El servicio no está disponible en este momento',
  'storage-full': 'El archivo no se puede guardar en este momento',
};

const translated = { de: german, fr: french, es: spanish } as const;

/** The title of a problem for its reader; code and detail are the same in every language. */
export function errorTitle(code: ErrorCode, language: TitleLanguage): string {
  return language === 'en' ? errorCatalogue[code].title : translated[language][code];
}
