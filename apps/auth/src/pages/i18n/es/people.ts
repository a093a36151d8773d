import type { Messages } from '../en/en.ts';
import type { RichText } from '../text-types.ts';

/** Texts of posts, and of the pages that follow an account and reply to a post, in Spanish. */
export const people = {
  verified: 'Cuenta verificada',
  pictureOf: (name: string) => `Imagen publicada por ${name}`,
  edited: (time: string) => `Editada el ${time}`,
  imported: 'por importación',
  showSensitive: 'Mostrar imagen sensible',
  hideSensitive: 'Ocultar imagen',
  quoteGone: 'La publicación citada no está disponible.',
  followersComment: 'Pueden comentar los seguidores y las cuentas mencionadas.',
  mentionedComment: 'Solo pueden comentar las cuentas mencionadas.',
  likeLabel: () => 'Me gusta',
  commentLabel: (count: number) => (count === 1 ? 'Comentario' : 'Comentarios'),
  repostLabel: (count: number) => (count === 1 ? 'Compartido' : 'Compartidos'),
  postLabel: (count: number) => (count === 1 ? 'Publicación' : 'Publicaciones'),
  followerLabel: (count: number) => (count === 1 ? 'Seguidor' : 'Seguidores'),
  following: 'Siguiendo',
  throttled: 'Lo estás haciendo con demasiada frecuencia. Espera un minuto e inténtalo de nuevo.',
  publicProfile: 'Perfil público',
  posts: {
    title: 'Publicaciones',
    none: 'Aún no hay publicaciones.',
    noMore: 'No hay publicaciones más antiguas.',
    older: 'Publicaciones más antiguas',
    newest: 'Publicaciones más recientes',
  },
  comments: {
    title: 'Comentarios',
    none: 'Aún no hay comentarios.',
    noMore: 'No hay comentarios más recientes.',
    next: 'Comentarios más recientes',
    first: 'Primeros comentarios',
  },
  follow: {
    title: (name: RichText): RichText => ['Seguir a ', name],
    openText: 'Sus publicaciones aparecen en el inicio de las aplicaciones que conectes.',
    blocking: 'Has bloqueado esta cuenta y por eso no puedes seguirla.',
    blocked: 'Esta cuenta te ha bloqueado y por eso no puedes seguirla.',
    protectedText:
      'Solo los seguidores aceptados ven las publicaciones de esta cuenta. Tu solicitud puede ser aceptada o rechazada.',
    states: { following: 'Sigues esta cuenta', requested: 'Solicitud pendiente', followsYou: 'Te sigue' },
    actions: {
      follow: 'Seguir',
      request: 'Solicitar seguir',
      unfollow: 'Dejar de seguir',
      withdraw: 'Retirar la solicitud',
    },
    done: {
      followed: 'Ahora sigues esta cuenta.',
      requested: 'Solicitud enviada. Verás las publicaciones cuando se acepte.',
      unfollowed: 'Ya no sigues esta cuenta.',
      withdrawn: 'Solicitud retirada.',
    },
  },
  reply: {
    title: (name: RichText): RichText => ['Comentar la publicación de ', name],
    field: 'Tu comentario',
    hint: 'Hasta 1000 caracteres.',
    everyone: 'Todo el mundo puede leer tu comentario, con tu nombre y tu foto.',
    followersOnly: 'Solo los seguidores aceptados de esta cuenta ven la publicación y tu comentario.',
    restricted: {
      followers:
        'No puedes comentar esta publicación. Solo pueden los seguidores de esta cuenta y las cuentas mencionadas.',
      mentioned: 'No puedes comentar esta publicación. Solo pueden las cuentas mencionadas.',
    },
    submit: 'Publicar comentario',
    done: 'Comentario publicado.',
    errors: {
      missing: 'Escribe un comentario.',
      wrong: 'El comentario no puede superar los 1000 caracteres.',
    },
  },
  own: {
    openText: 'Todo el mundo puede ver tus publicaciones. Para escribir, usa una aplicación conectada.',
    protectedText:
      'Solo tus seguidores ven tus publicaciones. No aparecen en tu perfil público, y esta página solo la ves tú.',
    change: 'Cambiar quién las ve',
  },
};

/** Texts of the page of word filters, mutes and blocks, in Spanish. */
export const hidden = {
  title: 'Silenciar y bloquear',
  intro: 'Decide qué quieres ver. Tu elección vale en todas las aplicaciones.',
  until: (time: string) => `Hasta el ${time}`,
  username: 'Nombre de usuario',
  usernameHint: 'Por ejemplo, @ada_lovelace.',
  ends: 'Termina',
  endings: { never: 'Nunca', day: 'En un día', week: 'En una semana', month: 'En 30 días' },
  actions: { removeFilter: 'Quitar', unmute: 'Dejar de silenciar', unblock: 'Desbloquear' },
  filters: {
    title: 'Palabras filtradas',
    text: 'Las aplicaciones compatibles ocultan las publicaciones y los comentarios con estas palabras hasta que los abras, y no te envían notificaciones sobre ellos.',
    none: 'No hay palabras filtradas.',
    field: 'Palabra o frase',
    hint: '100 caracteres como máximo. Las mayúsculas y los acentos no importan.',
    word: 'Solo palabras completas',
    part: 'También dentro de palabras',
    submit: 'Añadir filtro',
    full: 'Tienes 100 filtros. Quita uno para añadir otro.',
  },
  muted: {
    title: 'Cuentas silenciadas',
    text: 'No ves sus publicaciones en tu cronología ni recibes notificaciones sobre ellas. Las cuentas no reciben ningún aviso.',
    none: 'No has silenciado a nadie.',
    submit: 'Silenciar cuenta',
  },
  blocked: {
    title: 'Cuentas bloqueadas',
    text: 'Ni tú ves ni sigues a estas cuentas, ni ellas a ti. Si desbloqueas una, el seguimiento no vuelve.',
    none: 'No has bloqueado a nadie.',
    submit: 'Bloquear cuenta',
  },
  done: {
    filterAdded: 'El filtro se ha añadido.',
    filterRemoved: 'El filtro se ha quitado.',
    muted: 'La cuenta está silenciada.',
    unmuted: 'La cuenta ya no está silenciada.',
    blocked: 'La cuenta está bloqueada.',
    unblocked: 'La cuenta ya no está bloqueada.',
  },
  errors: {
    text: 'Introduce una palabra o frase de 100 caracteres como máximo, con una letra o una cifra.',
    unknown: 'Ninguna cuenta tiene este nombre de usuario.',
    own: 'No puedes silenciar ni bloquear tu propia cuenta.',
  },
};

export const invitations: Messages['invitations'] = {
  title: 'Invitaciones',
  intro: 'Con tu enlace, las personas que conoces pueden registrarse sin esperar a un administrador.',
  note: 'Nota',
  noteHint: 'Para ti, por ejemplo para quién es el enlace. Los administradores pueden leerla.',
  uses: 'Número de personas',
  usesHint: (most) => `Cuántas personas pueden registrarse con el enlace, como máximo ${String(most)}.`,
  days: 'Caduca',
  inDays: (days) => (days === 1 ? 'En un día' : `En ${String(days)} días`),
  limit: (most) =>
    `Puedes tener ${String(most)} enlaces activos a la vez. Los administradores ven a quién has invitado. Una contraseña nueva y cerrar todas las sesiones terminan tus enlaces.`,
  submit: 'Crear enlace',
  created: 'El enlace está listo. Cópialo ahora: solo se muestra una vez.',
  listTitle: 'Tus enlaces',
  none: 'No has invitado a nadie en los últimos 30 días.',
  unnamed: (day) => `Enlace del ${day}`,
  over: 'Terminado',
  used: (uses, most) => `Usado ${String(uses)} de ${String(most)} veces`,
  until: (time) => `hasta el ${time}`,
  end: 'Terminar enlace',
  ended: 'El enlace ha terminado. Nadie más puede registrarse con él.',
  problems: {
    full: (most) => `Tienes ${String(most)} enlaces activos. Termina uno para crear otro.`,
    throttled: () => 'Hoy has creado muchos enlaces. Inténtalo de nuevo mañana.',
  },
  errors: {
    note: (most) => `La nota debe ser una línea de caracteres visibles, como máximo ${String(most)}.`,
    uses: (most) => `Escribe un número del 1 al ${String(most)}.`,
  },
};

export const imports: Messages['imports'] = {
  title: 'Importar publicaciones',
  intro:
    'Trae tus publicaciones de otro servidor de Linnet, de Mastodon o de Bluesky: expórtalas allí y elige aquí el archivo. Aparecen en su fecha y nadie recibe avisos.',
  bluesky:
    'El archivo de Bluesky, repo.car, no contiene imágenes. Para traerlas también, descárgalas con una herramienta como goat, conserva sus nombres y elige un archivo ZIP con repo.car y las imágenes.',
  file: 'Archivo',
  fileHint: (megabytes, items) => `Como máximo ${String(megabytes)} MB y ${items} publicaciones y comentarios.`,
  passwordHint: 'Para que nadie más publique en tu nombre desde un navegador que hayas dejado abierto.',
  submit: 'Importar',
  started: 'La importación ha empezado.',
  reload: 'Recarga esta página para ver cómo avanza.',
  undone: 'Se están eliminando las publicaciones importadas.',
  listTitle: 'Tus importaciones',
  none: 'Todavía no has importado nada.',
  states: {
    running: 'En curso. Puedes cerrar esta página.',
    undoing: 'Se están eliminando sus publicaciones.',
    finished: 'Terminada.',
    failed: 'Ha fallado.',
    undone: 'Deshecha.',
  },
  stored: (posts, comments, pictures) =>
    `Publicaciones: ${String(posts)} · comentarios: ${String(comments)} · imágenes: ${String(pictures)}`,
  failures: {
    interrupted: 'Se perdió el archivo. Envía otra vez el mismo archivo para continuar.',
    fault:
      'El servicio no pudo continuar. Envía otra vez el mismo archivo; si vuelve a fallar, escribe al administrador.',
    'account-gone': 'Tu cuenta ya no podía publicar.',
    damaged: 'El archivo ya no se podía leer. Envíalo otra vez para continuar.',
  },
  leftOut: 'No incluido:',
  reasons: {
    text: 'textos vacíos o demasiado largos',
    date: 'fechas imposibles',
    comments: 'comentarios en publicaciones ajenas',
    quotes: 'citas, en publicaciones que se conservan',
    pictures: 'imágenes ausentes o ilegibles',
    history: 'versiones anteriores',
    private: 'publicaciones que no eran públicas',
    polls: 'encuestas y otros tipos',
    reposts: 'publicaciones compartidas',
    likes: '«Me gusta»',
    bookmarks: 'marcadores',
    follows: 'cuentas que sigues',
  },
  undo: 'Deshacer',
  undoHint: 'Elimina lo que añadió este archivo. Posible durante un día.',
  problems: {
    missing: 'Elige un archivo.',
    'too-large': 'El archivo, o uno que contiene, es demasiado grande.',
    'not-an-archive': 'No es un archivo ZIP, CAR ni .tar.gz.',
    'unknown-files': 'El archivo no es de Linnet, de Mastodon ni de Bluesky.',
    damaged: 'El archivo está dañado.',
    'too-many-posts': 'El archivo tiene demasiadas publicaciones.',
    'account-gone': 'Tu cuenta no puede publicar ahora.',
    'one-at-a-time': 'Hay otra importación en curso. Espera a que termine.',
    'too-many': 'Hoy has subido diez archivos. Inténtalo mañana.',
    busy: 'Muchas personas están importando en este momento. Inténtalo más tarde.',
  },
};
