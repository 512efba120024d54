export const isPerson = (id: string) => /^[UW]/.test(id);
export const isUserGroup = (id: string) => id.startsWith('S');
export const isChannel = (id: string) => /^[CG]/.test(id);
export const isDirectMessage = (id: string) => id.startsWith('D');
