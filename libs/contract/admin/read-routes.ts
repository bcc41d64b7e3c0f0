import { readPaths } from './read-paths.ts';
import { Me } from './schemas.ts';

export const readRoutes = {
  me: {
    ...readPaths.me,
    summary: 'Who is signed in, and as what',
    tag: 'session',
    data: Me,
  },
} as const;
