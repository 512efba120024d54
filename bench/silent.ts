const silent = () => {};
export const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
