const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

/** Formats a number of bytes in a suitable unit: '512 bytes', '1.5 kB'. */
export function formatSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return `${Math.round((bytes / 1000 ** power) * 10) / 10} ${UNITS[power]}`;
}
