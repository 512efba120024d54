import { inject } from 'vitest';

// The database server starts while the modules of a journey are imported. Who requests it hears if it couldn't.
if (inject('database') === 'server') void fetch(`${inject('databases')}/postgres`).catch(() => {});
