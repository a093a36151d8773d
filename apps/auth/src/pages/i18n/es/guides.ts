import type { RichText } from '../rich-text.ts';

/** Texts around the guides of the documentation, in Spanish. */
export const guides = {
  title: 'Documentación',
  all: 'Todas las guías',
  navigation: 'Guías',
  /** The guides themselves are not translated. */
  inEnglish: 'Esta documentación está en inglés.',
  read: 'Leer la guía',
  onThisPage: 'En esta página',
  previous: 'Anterior',
  next: 'Siguiente',
  neighbours: 'Guía anterior y siguiente',
  groups: { start: 'Primeros pasos', access: 'Acceso', api: 'La API', launch: 'Puesta en marcha' },
  application: { label: 'Aplicación de los ejemplos', submit: 'Mostrar' },
  search: {
    title: 'Buscar en la documentación',
    label: 'Buscar en la documentación',
    submit: 'Buscar',
    results: (count: number, query: RichText): RichText => {
      if (count === 0) return ['No hay resultados para «', query, '».'];
      return count === 1 ? ['1 resultado para «', query, '»'] : [`${String(count)} resultados para «`, query, '»'];
    },
  },
};
