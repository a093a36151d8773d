import { errorCatalogue } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import type { Language } from './languages.ts';

type Titles = Readonly<Record<ErrorCode, string>>;

const german: Titles = {
  'invalid-parameter': 'Ein Parameter fehlt oder ist fehlerhaft',
  'malformed-body': 'Der Anfragetext ist fehlerhaft',
  'token-required': 'Ein Zugriffstoken ist erforderlich',
  invalid_token: 'Das Zugriffstoken ist ungültig',
  insufficient_scope: 'Dem Zugriffstoken fehlt eine Berechtigung',
  'user-context-required': 'Das Zugriffstoken handelt nicht für ein Konto',
  'wrong-password': 'Das Passwort ist falsch',
  'prefetch-refused': 'Eine vorausladende Anfrage darf nichts ändern',
  'media-not-usable': 'Die Mediendatei kann hier nicht verwendet werden',
  'protected-account': 'Das Konto ist geschützt',
  'not-owner': 'Der Eintrag gehört einem anderen Konto',
  'not-found': 'Diesen Eintrag gibt es nicht',
  'unknown-endpoint': 'Diesen Endpunkt gibt es nicht',
  'unknown-version': 'Diese API-Version gibt es nicht',
  'method-not-allowed': 'Die Methode ist für diesen Endpunkt nicht erlaubt',
  'accept-required': 'Die Anfrage muss application/json akzeptieren',
  'email-taken': 'Die E-Mail-Adresse wird bereits verwendet',
  'username-taken': 'Der Benutzername ist bereits vergeben',
  'idempotency-in-progress': 'Dieselbe Anfrage wird noch bearbeitet',
  'media-attached': 'Die Mediendatei gehört bereits zu einem Beitrag',
  'body-too-large': 'Der Anfragetext ist zu groß',
  'unsupported-media-type': 'Der Typ des Anfragetexts wird nicht unterstützt',
  'idempotency-key-reused': 'Der Idempotenzschlüssel gehört zu einer anderen Anfrage',
  'image-refused': 'Die Datei ist kein zulässiges PNG oder JPEG',
  'rate-limited': 'Zu viele Anfragen',
  overloaded: 'Der Dienst ist überlastet',
  'internal-error': 'Bei uns ist ein Fehler aufgetreten',
  unavailable: 'Der Dienst ist vorübergehend nicht verfügbar',
  'storage-full': 'Die Datei kann gerade nicht gespeichert werden',
};

const french: Titles = {
  'invalid-parameter': 'Un paramètre manque ou n’est pas valide',
  'malformed-body': 'Le corps de la requête est mal formé',
  'token-required': 'Un jeton d’accès est requis',
  invalid_token: 'Le jeton d’accès n’est pas valable',
  insufficient_scope: 'Il manque une autorisation au jeton d’accès',
  'user-context-required': 'Le jeton d’accès n’agit pas pour un compte',
  'wrong-password': 'Le mot de passe est incorrect',
  'prefetch-refused': 'Une requête de préchargement ne peut rien modifier',
  'media-not-usable': 'Le fichier média ne peut pas être utilisé ici',
  'protected-account': 'Le compte est protégé',
  'not-owner': 'L’élément appartient à un autre compte',
  'not-found': 'Cet élément n’existe pas',
  'unknown-endpoint': 'Ce point d’accès n’existe pas',
  'unknown-version': 'Cette version de l’API n’existe pas',
  'method-not-allowed': 'La méthode n’est pas autorisée pour ce point d’accès',
  'accept-required': 'La requête doit accepter application/json',
  'email-taken': 'L’adresse e-mail est déjà utilisée',
  'username-taken': 'Le nom d’utilisateur est déjà pris',
  'idempotency-in-progress': 'La même requête est encore en cours de traitement',
  'media-attached': 'Le fichier média est déjà joint à une publication',
  'body-too-large': 'Le corps de la requête est trop volumineux',
  'unsupported-media-type': 'Le type du corps de la requête n’est pas pris en charge',
  'idempotency-key-reused': 'La clé d’idempotence appartient à une autre requête',
  'image-refused': 'Le fichier n’est pas un PNG ou un JPEG acceptable',
  'rate-limited': 'Trop de requêtes',
  overloaded: 'Le service est surchargé',
  'internal-error': 'Une erreur s’est produite de notre côté',
  unavailable: 'Le service est temporairement indisponible',
  'storage-full': 'Le fichier ne peut pas être enregistré pour le moment',
};

const spanish: Titles = {
  'invalid-parameter': 'Falta un parámetro o no es válido',
  'malformed-body': 'El cuerpo de la solicitud no es correcto',
  'token-required': 'Se necesita un token de acceso',
  invalid_token: 'El token de acceso no es válido',
  insufficient_scope: 'Al token de acceso le falta un permiso',
  'user-context-required': 'El token de acceso no actúa en nombre de una cuenta',
  'wrong-password': 'La contraseña es incorrecta',
  'prefetch-refused': 'Una solicitud de precarga no puede cambiar nada',
  'media-not-usable': 'El archivo multimedia no se puede usar aquí',
  'protected-account': 'La cuenta está protegida',
  'not-owner': 'El elemento pertenece a otra cuenta',
  'not-found': 'Este elemento no existe',
  'unknown-endpoint': 'Este punto de acceso no existe',
  'unknown-version': 'Esta versión de la API no existe',
  'method-not-allowed': 'El método no está permitido para este punto de acceso',
  'accept-required': 'La solicitud debe aceptar application/json',
  'email-taken': 'La dirección de correo electrónico ya está en uso',
  'username-taken': 'El nombre de usuario ya está en uso',
  'idempotency-in-progress': 'La misma solicitud todavía se está procesando',
  'media-attached': 'El archivo multimedia ya está adjunto a una publicación',
  'body-too-large': 'El cuerpo de la solicitud es demasiado grande',
  'unsupported-media-type': 'El tipo del cuerpo de la solicitud no se admite',
  'idempotency-key-reused': 'La clave de idempotencia pertenece a otra solicitud',
  'image-refused': 'El archivo no es un PNG o JPEG aceptable',
  'rate-limited': 'Demasiadas solicitudes',
  overloaded: 'El servicio está sobrecargado',
  'internal-error': 'Se ha producido un error por nuestra parte',
  unavailable: 'El servicio no está disponible temporalmente',
  'storage-full': 'El archivo no se puede guardar en este momento',
};

const translated = { de: german, fr: french, es: spanish } as const;

/** The title of a problem in the reader's language; code and detail do not depend on the language. */
export function errorTitle(code: ErrorCode, language: Language): string {
  return language === 'en' ? errorCatalogue[code].title : translated[language][code];
}
