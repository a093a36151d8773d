import type { RichText } from '../rich-text.ts';

/** Texts of the consent page, in Spanish. */
export const consent = {
  title: (application: string) => `¿Permitir ${application}?`,
  heading: (application: RichText): RichText => [application, ' quiere usar su cuenta'],
  signedInAs: (username: RichText): RichText => ['Ha iniciado sesión como ', username, '.'],
  notYou: '¿No es usted? Usar otra cuenta',
  madeBy: 'Creada por',
  returnsTo: 'Le lleva de vuelta a',
  required: 'Podrá',
  optional: 'Si lo desea, también',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'Es un agente: un programa que lee y actúa por sí solo en su nombre. Conceda solo lo que necesita, y solo durante el tiempo necesario.',
    groups: { reading: 'Leer', writing: 'Publicar y eliminar', account: 'Su cuenta' },
  },
  reason: (reason: RichText): RichText => ['Explica: «', reason, '»'],
  before: 'Ya permitió esta aplicación antes. Lo que pide además está marcado como nuevo.',
  status: { new: 'nuevo', allowed: 'ya permitido' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'Esta aplicación ya tiene acceso',
    until: (minute: string) => `hasta el ${minute}`,
    endless: 'hasta que usted le ponga fin',
    shared: 'La duración que elija abajo se aplica también a estos permisos.',
    separate: 'La duración que elija abajo no cambia estos permisos.',
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
      ' no la ha revisado. Conocerá su nombre de usuario.',
    ],
    unproven: (owner: RichText): RichText => [' No está verificado que ', owner, ' opere esta dirección.'],
  },
  nothing: 'No pide permiso para leer ni cambiar nada.',
  implicit:
    'Esta aplicación recibe su acceso en la barra de direcciones de su navegador, donde otros programas podrían verlo. Es menos seguro que el método habitual, así que tiene que volver a pedirlo cada 10 minutos.',
  publisherUnconfirmed: 'dirección de correo sin confirmar',
  trust: (owner: RichText): RichText => ['Permita esta aplicación solo si confía en ', owner, '.'],
  builtIn: (service: string) => `parte de ${service}`,
  builtInTrust: (service: string) =>
    `Es la herramienta de la referencia de la API de ${service}. Permítala solo si acaba de elegir «Authorize» allí.`,
  selfRegistered: 'desconocido: la aplicación se registró por sí misma',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' no sabe quién ofrece esta aplicación, porque se registró por sí misma. Permítala solo si acaba de iniciar esto usted y confía en ',
    host,
    '.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', sin verificar'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' no ha verificado quién ofrece esta aplicación. Dice proceder de ',
    host,
    '. Permítala solo si acaba de iniciar esto usted y confía en ',
    host,
    '.',
  ],
  onDevice: (host: RichText): RichText => [
    'Funciona en su dispositivo, donde otros programas también pueden afirmar que proceden de ',
    host,
    '.',
  ],
  deny: 'Rechazar',
  allow: 'Permitir',
  later: 'Puede desconectarla en cualquier momento en su cuenta, en «Aplicaciones conectadas».',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Volver a ${application}`,
    heading: (application: RichText): RichText => ['Volver a ', application],
    text: (host: RichText): RichText => ['Si no se le lleva automáticamente a ', host, ', seleccione «Continuar».'],
    submit: 'Continuar',
  },
};
