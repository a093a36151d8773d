import type { RichText } from '../rich-text.ts';

/** Texts of the consent page, in Spanish. */
export const consent = {
  title: (application: string) => `¿Autorizar ${application}?`,
  heading: (application: RichText): RichText => [application, ' quiere usar tu cuenta'],
  signedInAs: (username: RichText): RichText => ['Has iniciado sesión como ', username, '.'],
  notYou: '¿No eres tú? Usar otra cuenta',
  madeBy: 'Creada por',
  returnsTo: 'Te lleva de vuelta a',
  required: 'Podrá',
  optional: 'Si quieres, también',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'Es un agente: un programa que lee y actúa por sí solo en tu nombre. Concede solo lo que necesita, y solo durante el tiempo necesario.',
    groups: { reading: 'Leer', proposing: 'Proponer', writing: 'Publicar y eliminar', account: 'Tu cuenta' },
  },
  reason: (reason: RichText): RichText => ['Explica: «', reason, '»'],
  before: 'Ya autorizaste esta aplicación antes. Lo que pide además está marcado como nuevo.',
  status: { new: 'nuevo', allowed: 'ya autorizado' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'Esta aplicación ya tiene acceso',
    until: (minute: string) => `hasta el ${minute}`,
    endless: 'hasta que le pongas fin',
    shared: 'La duración que elijas abajo se aplica también a estos permisos.',
    separate: 'La duración que elijas abajo no cambia estos permisos.',
    keep: (minute: string) => `Como hasta ahora: ${minute}`,
  },
  outside: {
    describes: (description: RichText): RichText => ['Quien desarrolla la API dice: «', description, '»'],
    notice: (api: RichText, owner: RichText, service: string): RichText => [
      api,
      ' no forma parte de ',
      service,
      '. Pertenece a ',
      owner,
      ', y ',
      service,
      ' no la ha revisado. Conocerá tu nombre de usuario.',
    ],
    unproven: (owner: RichText): RichText => [' No está verificado que ', owner, ' opere esta dirección.'],
  },
  nothing: 'No pide permiso para leer ni cambiar nada.',
  implicit:
    'Esta aplicación recibe su acceso en la barra de direcciones de tu navegador, donde otros programas podrían verlo. Es menos seguro que el método habitual, así que tiene que volver a pedírtelo cada 10 minutos.',
  publisherUnconfirmed: 'dirección de correo sin confirmar',
  trust: (owner: RichText): RichText => ['Autoriza esta aplicación solo si confías en ', owner, '.'],
  builtIn: (service: string) => `parte de ${service}`,
  builtInTrust: (service: string) =>
    `Es la herramienta de la referencia de la API de ${service}. Autorízala solo si acabas de elegir «Authorize» allí.`,
  selfRegistered: 'desconocido: la aplicación se registró por sí misma',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' no sabe quién ofrece esta aplicación, porque se registró por sí misma. Autorízala solo si acabas de iniciar esto y confías en ',
    host,
    '.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', sin verificar'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' no ha verificado quién ofrece esta aplicación. Dice proceder de ',
    host,
    '. Autorízala solo si acabas de iniciar esto y confías en ',
    host,
    '.',
  ],
  onDevice: (host: RichText): RichText => [
    'Funciona en tu dispositivo, donde otros programas también pueden afirmar que proceden de ',
    host,
    '.',
  ],
  deny: 'Rechazar',
  allow: 'Autorizar',
  later: 'Puedes desconectarla en cualquier momento en tu cuenta, en «Aplicaciones conectadas».',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Volver a ${application}`,
    heading: (application: RichText): RichText => ['Volver a ', application],
    text: (host: RichText): RichText => ['Si no pasas automáticamente a ', host, ', selecciona «Continuar».'],
    submit: 'Continuar',
  },
};
