const TOP_LEVEL =
  'com|net|org|io|de|eu|uk|us|fr|it|es|nl|pl|ru|рф|cn|jp|kr|br|in|ch|at|se|no|dk|fi|be|cz|ca|au|co|me|tv|ai|app|dev|cloud|info|biz|gov|edu|mil|int|mobi|online|site|tech|xyz|example|test|invalid|local|internal|corp|lan|home|host|arpa';
const HOST = new RegExp(
  `^(?:\\*\\.)?(?:[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_-]{0,61}[\\p{L}\\p{N}])?\\.){1,8}(?:${TOP_LEVEL})(?::\\d{1,5})?$`,
  'iu',
);

/** `smtp.acme.example:587`, but not `jane.roe` */
export const isHost = (token: string): boolean => token.includes('.') && HOST.test(token);
