import type { RichText } from '../rich-text.ts';

/** Texts of posts, and of the pages that follow an account and reply to a post, in Spanish. */
export const people = {
  verified: 'Cuenta verificada',
  pictureOf: (name: string) => `Imagen publicada por ${name}`,
  edited: (time: string) => `Editada el ${time}`,
  showSensitive: 'Mostrar imagen sensible',
  hideSensitive: 'Ocultar imagen',
  followersComment: 'Pueden comentar los seguidores y las cuentas mencionadas.',
  mentionedComment: 'Solo pueden comentar las cuentas mencionadas.',
  likeLabel: () => 'Me gusta',
  commentLabel: (count: number) => (count === 1 ? 'Comentario' : 'Comentarios'),
  repostLabel: (count: number) => (count === 1 ? 'Compartido' : 'Compartidos'),
  postLabel: (count: number) => (count === 1 ? 'Publicación' : 'Publicaciones'),
  followerLabel: (count: number) => (count === 1 ? 'Seguidor' : 'Seguidores'),
  following: 'Siguiendo',
  throttled: 'Lo está haciendo con demasiada frecuencia. Espere un minuto e inténtelo de nuevo.',
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
    openText: 'Sus publicaciones aparecen en el inicio de las aplicaciones que conecte.',
    blocking: 'Usted bloquea esta cuenta y por eso no puede seguirla.',
    blocked: 'Esta cuenta le bloquea y por eso no puede seguirla.',
    protectedText:
      'Solo los seguidores aceptados ven las publicaciones de esta cuenta. Su solicitud puede ser aceptada o rechazada.',
    states: { following: 'Sigue esta cuenta', requested: 'Solicitud pendiente', followsYou: 'Le sigue' },
    actions: {
      follow: 'Seguir',
      request: 'Solicitar seguir',
      unfollow: 'Dejar de seguir',
      withdraw: 'Retirar la solicitud',
    },
    done: {
      followed: 'Ahora sigue esta cuenta.',
      requested: 'Solicitud enviada. Verá las publicaciones cuando se acepte.',
      unfollowed: 'Ya no sigue esta cuenta.',
      withdrawn: 'Solicitud retirada.',
    },
  },
  reply: {
    title: (name: RichText): RichText => ['Responder a ', name],
    field: 'Su comentario',
    hint: 'Hasta 1000 caracteres.',
    everyone: 'Todo el mundo puede leer su comentario, con su nombre y su foto.',
    followersOnly: 'Solo los seguidores aceptados de esta cuenta ven la publicación y su comentario.',
    restricted: {
      followers:
        'No puedes comentar esta publicación. Solo pueden los seguidores de esta cuenta y las cuentas mencionadas.',
      mentioned: 'No puedes comentar esta publicación. Solo pueden las cuentas mencionadas.',
    },
    submit: 'Publicar comentario',
    done: 'Comentario publicado.',
    errors: {
      missing: 'Escriba un comentario.',
      wrong: 'El comentario no puede superar los 1000 caracteres.',
    },
  },
  own: {
    openText: 'Todo el mundo puede ver sus publicaciones. Para escribir, use una aplicación conectada.',
    protectedText:
      'Solo sus seguidores ven sus publicaciones. No aparecen en su perfil público, y esta página solo la ve usted.',
    change: 'Cambiar quién las ve',
  },
};

/** Texts of the page of word filters, mutes and blocks, in Spanish. */
export const hidden = {
  title: 'Silenciar y bloquear',
  intro: 'Decida qué quiere ver. Su elección vale en todas las aplicaciones.',
  until: (time: string) => `Hasta el ${time}`,
  username: 'Nombre de usuario',
  usernameHint: 'Por ejemplo, @ada_lovelace.',
  ends: 'Termina',
  endings: { never: 'Nunca', day: 'En un día', week: 'En una semana', month: 'En 30 días' },
  actions: { removeFilter: 'Quitar', unmute: 'Dejar de silenciar', unblock: 'Desbloquear' },
  filters: {
    title: 'Palabras filtradas',
    text: 'Las aplicaciones compatibles ocultan las publicaciones y los comentarios con estas palabras hasta que los abra, y no le envían notificaciones sobre ellos.',
    none: 'No hay palabras filtradas.',
    field: 'Palabra o frase',
    hint: '100 caracteres como máximo. Las mayúsculas y los acentos no importan.',
    word: 'Solo palabras completas',
    part: 'También dentro de palabras',
    submit: 'Añadir filtro',
    full: 'Tiene 100 filtros. Quite uno para añadir otro.',
  },
  muted: {
    title: 'Cuentas silenciadas',
    text: 'No ve sus publicaciones en su cronología ni recibe notificaciones sobre ellas. Las cuentas no reciben ningún aviso.',
    none: 'No ha silenciado a nadie.',
    submit: 'Silenciar cuenta',
  },
  blocked: {
    title: 'Cuentas bloqueadas',
    text: 'Ya no se ven ni se siguen, en ninguna dirección. Al desbloquear la cuenta, el seguimiento no vuelve.',
    none: 'No ha bloqueado a nadie.',
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
    text: 'Introduzca una palabra o frase de 100 caracteres como máximo, con una letra o una cifra.',
    unknown: 'Ninguna cuenta tiene este nombre de usuario.',
    own: 'No puede silenciar ni bloquear su propia cuenta.',
  },
};
