import type { Environment } from './environment.ts';

export function anEnvironment(change: Partial<Environment> = {}): Environment {
  return {
    name: 'production',
    label: 'production',
    dashboardUrl: null,
    isProtected: false,
    apiHost: 'api.notifications.example.com',
    apiUrlVariable: 'NOTIF_PRODUCTION_API_URL',
    apiKeyVariable: 'NOTIF_PRODUCTION_API_KEY',
    ...change,
  };
}
