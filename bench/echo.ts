/** The baseline of the HTTP benchmark as a process: an authenticated POST that returns its body, no database. */
import { listenAuthenticated } from './authenticated.ts';

const [, , port = '0', key = ''] = process.argv;
await listenAuthenticated({ port: Number(port), key, path: '/bet', answer: async (body) => body });
