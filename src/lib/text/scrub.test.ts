import { describe, expect, test } from 'vitest';
import { SCRUBBED_LENGTH, scrub } from './scrub.ts';

describe('scrub', () => {
  test.each<[what: string, text: string, secret: string | RegExp]>([
    ['basic credentials', 'sent Basic dXNlcjpwYXNz to it', 'dXNlcjpwYXNz'],
    ['an API key header', '{"headers":{"Authorization":"ApiKey 0123abcd"}', '0123abcd'],
    ['SMTP credentials', 'AUTH PLAIN AGFubmEAaHVudGVyMg==', 'AGFub'],
    ["Slack's token", 'token xoxb-1234-5678-abcd', '1234'],
    ["Slack's app token", 'xapp-1-A0-1-abc', 'A0'],
    ["Stripe's keys", 'sk_live_abcdefgh, pk_live_abcdefgh, rk_live_abcdefgh, whsec_abcdefgh', 'abcdefgh'],
    ["Resend's key", 're_abcdefgh_ijkl', 'abcdefgh'],
    ["Brevo's keys", 'xkeysib-abcdefgh-ijkl, xsmtpsib-abcdefgh-ijkl', 'abcd'],
    ["OpenAI's key", 'sk-abcdefghijklmnop', 'abcd'],
    ["AWS's key", 'AKIAIOSFODNN7EXAMPLE', 'IOSF'],
    ["Google's key", 'AIzaSyabcdefghijklmnopqr', 'Sya'],
    ["Google's access token", 'ya29.abcdef-ghij', 'abcd'],
    ["Mailgun's key", 'key-0123456789abcdef0123', '0123'],
    ["GitHub's tokens", 'ghp_abcdefghijkl, github_pat_abcdefgh', 'abcd'],
    ["GitLab's token", 'glpat-abcdefghijkl', 'abcd'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nMIIabc\ndef\n-----END PRIVATE KEY-----', 'MII'],
    ['a private key that was cut', '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\ndef', 'MII'],
    ["a device token of Apple's in groups", `<${Array(8).fill('0a1b2c3d').join(' ')}>`, '0a1b'],
    ["a device token of Google's", 'no cR3dTok-En_1:APA91bHun4MxP5egoKMwt2KZFBaFUH here', 'cR3d'],
    ["a device token of Expo's", 'ExpoPushToken[aBcDeFgHiJkLmNoPqRsTuV] is not registered', 'aBcD'],
    ["a key of Mailgun's with its suffixes", `${'0a1b2c3d'.repeat(4)}-1b2c3d4e-5f6a7b8c is bad`, '5f6a7b8c'],
    ["Infobip's key", `${'0a1b2c3d'.repeat(4)}-550e8400-e29b-41d4-a716-446655440000`, '550e8400'],
    ["HubSpot's token", 'pat-na1-550e8400-e29b-41d4-a716-446655440000', '550e8400'],
    ["Heroku's key", 'HRKU-550e8400-e29b-41d4-a716-446655440000', '550e8400'],
    ["Razorpay's key", 'rzp_live_AbCdEfGhIjKlMn', 'AbCd'],
    ["an authorization of Infobip's", 'Authorization: App hunter2hunter2', 'hunter2'],
    ['an authorization with parameters', 'Authorization: Token token="hunter2", x="hunter2"', 'hunter2'],
    ['a header in a list of headers', '{"headers":[{"name":"X-Api-Key","value":"hunter2"}]}', 'hunter2'],
    ['a header beside its name', '{"rawHeaders":["Authorization","hunter2","Host","x"]}', 'hunter2'],
    ['an attribute of XML named by another', '<add key="ApiKey" value="hunter2"/>', 'hunter2'],
    ["a subscription key of Azure's", 'Ocp-Apim-Subscription-Key: hunter2', 'hunter2'],
    ["a signature of Azure's", 'SharedAccessSignature sr=x&sig=hunter2&se=1', 'hunter2'],
    ["an integration's signing key", 'inboundWebhookSigningKey: "hunter2"', 'hunter2'],
    ["PHP's session", 'PHPSESSID=hunter2; x', 'hunter2'],
    ['a key that a provider quotes', 'Incorrect API key provided: hunter2hunter2.', 'hunter2'],
    ['a quoted password', 'login failed for user x using password "hunter2"', 'hunter2'],
    ["OneSignal's players", '{"errors":{"invalid_player_ids":["550e8400-e29b-41d4-a716-446655440000"]}}', '550e'],
    ["an encoded webhook's path", 'to=https%3A%2F%2Fhooks.slack.com%2Fservices%2FT0%2FB0%2Fxyz', 'T0'],
    ['an encoded address with a password', 'url=https%3A%2F%2Fanna%3Ahunter2%40example.com%2Fx&a=b', 'hunter2'],
    [
      'an address in entities',
      'to anna&#64;example.com, ben&#x40;example.com or eve&amp;#64;example.com',
      /anna|ben|eve/,
    ],
    ['an address in CDATA', 'to <![CDATA[anna@example.com', 'anna'],
    ['an address in JSON escapes', 'to \\u0061nna\\u0040example.com', /nna/],
    ['a password in CDATA', '<password><![CDATA[hunter2]]></password>', 'hunter2'],
    ['a password in JSON in JSON', '{"body":"{\\"password\\":\\"hun ter2\\"}"', 'ter2'],
    ['a list of tokens', 'cut {"deviceTokens":["abc","def"],', 'def'],
    ['credentials within credentials', 'cut {"credentials":{"smtp":{"user":"anna"},"port":1},', 'anna'],
    ['an SMTP user', 'smtp_user: anna', 'anna'],
    ['a one-time code', 'otpCode: 471101, otp_code=471102, user.otp: 471103', '4711'],
    ["a one-time code's PIN", '{"pinCode":"4711","card_pin":"4712","one-time-pin":"4713"', '471'],
    ['a code for a check', 'verificationCode: 4711, confirmation_code: 4712, Security Code: 4713', '471'],
    ['a PIN that looks like an HTTP status', 'pin: 401, otp: 503', /401|503/],
    [
      'a secret that begins like a sentence about an error',
      'password: invalid7 token: the-horse secret: Failed!',
      /7|horse|!/,
    ],
    ['a secret directly after its name', 'token=invalid_grant password:expired', /grant|expired/],
    ['cookies', 'Set-Cookie: sid=abc; Path=/; token=def', 'sid'],
    ['an element of XML', '<password>hunter2</password>', 'hunter2'],
    ['an element of XML with attributes', '<wsse:Password Type="#Digest">hunter2</wsse:Password>', 'hunter2'],
    ['cookies after a closing tag', '<pin>1</pin> cookie: sid=hunter2; b=c', 'hunter2'],
    ['a secret whose name stands after that of another', 'password: X-Api-Key: token: hunter2', 'hunter2'],
    ["a webhook's path without a scheme", 'POST hooks.slack.com/services/T0/B0/xyz', 'T0'],
    ['a query', 'GET https://example.com?key=abc', 'abc'],
    ['user and password', 'smtps://anna:hunter2@mail.example.com', 'hunter2'],
    ['an email address in quotes', "no mailbox 'o'neil@example.com'", 'neil'],
    ['an address that is wrong', "Illegal email domain 'gmail' in address 'anna@gmail', or anna@@gmail.com", /nna@/],
    ['an encoded email address', 'no mailbox anna%40example.com', 'anna'],
    ['an email address with an unseen character', 'no mailbox an\u200bna@example.com', 'na@'],
    ['a phone number', 'cannot call +49 170 1234567', '12345'],
    ['a phone number as phones write it', 'cannot call +49 151‑23456789 or +49 151–23456789', '2345'],
    ['a phone number of North America', 'cannot call (555) 123-4567 or 555.123.4567', '4567'],
    ['a national phone number', 'cannot call 0170 1234567', '12345'],
    ['a phone number of France', 'cannot call 06 12 34 56 78', '12'],
    ['a phone number in JSON that was cut', '{"to":"15005550001","a', '555'],
    ['a phone number without a plus', "The 'To' number 15005550001 is not valid", '555'],
    ['a phone number at the start of a sentence', '14155550100 is not a valid phone number', '415555'],
    ['a phone number of a destination', 'Destination 4917012345678 unreachable, to 4917012345678: off', '170123'],
    ['a phone number for which there is no route', 'no route for 4917012345678.', '170123'],
    ['a phone number of a field', 'status code 400: {"phoneNumber":"491512345678","mobileNo":"5551234"}', /15123|555/],
    ['phone numbers of parameters', 'phone_number=491512345678 recipient_phone=5551234 toPhone: 5551234', /15123|555/],
    ['phone numbers of a list', 'msisdns=[491512345678, 491512345679]', '15123'],
    [
      'phone numbers of both sides',
      'to_number=491512345678 fromNumber=491512345678 destinationAddress: 491512345678',
      '15123',
    ],
    ['a phone number in full width', 'cannot call ＋４９（１７０）１２３４５６７', '４５６'],
    ['an email address in full width', 'no mailbox ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ａｎｎａ'],
    ["a webhook's path in full width", 'POST https：／／hooks.slack.com／services／T0／xyz', 'xyz'],
    ['a recipient in a return path', 'from bounce+ac.12-anna.schmidt=example.com@mg.example.org', 'schmidt'],
    ['a one-time code in a sentence', 'Your OTP is 482913, the verification code is 482914', '4829'],
    ['a script', '<html><script>const a = 1</script>', 'const'],
  ])('removes %s', (_, text, secret) => {
    const pattern = typeof secret === 'string' ? expect.stringContaining(secret) : expect.stringMatching(secret);
    expect(scrub(text)).not.toEqual(pattern);
    expect(scrub(JSON.stringify({ error: text }))).not.toEqual(pattern);
  });

  test.each([
    'Subscriber credentials is missing the tokens for sending a push notification message',
    'Unable to create record: The message From/To pair violates a blacklist rule.',
    'Invalid login: 535-5.7.8 Username and Password not accepted. (EAUTH)',
    'The provided authorization grant is invalid, expired, or revoked',
    'Basic authentication failed, no Bearer token was sent',
    '550 5.1.1 User unknown; 421 4.7.0 try again at 12:30 on 2024-01-15 12:00:01.123',
    'connect ECONNREFUSED 192.168.100.200:587',
    '1705320000 and 1705320000123 are times',
    'from 1705320000 to 1705320000123, for 20240115120000, to 202401151200',
    'event 65f3a1b2c3d4e5f6a7b8c9d0 of txn_8f2c91ab, 550e8400-e29b-41d4-a716-446655440000',
    'orderNumber: 12345678, order_number=491512345678, phone_number_id: 106540352242922',
    'step order-shipped-reminder-email-for-2024 of SubscriberCredentialsMissingTokens',
    'Unexpected token "<" in JSON, unexpected token "o" at position 1, Unexpected token "}"',
    'The "token" is required; "password" and "secret" are missing',
    '{"headers":[{"name":"Content-Type","value":"text/html"}],"list":["token","is","missing"]}',
    'Authorization failed: the sender is not allowed, API key not found',
    'workflow password-reset of pat-2, order 12-34, --token-file was not read',
    'value <= 3 && 4 > 2, expected <string>',
    '{"statusCode":401,"message":"Unauthorized"}',
    'Failed to refresh token: 401 Unauthorized; API key: 403',
    'Error fetching access token: invalid_grant (Invalid grant: account not found)',
    'access token: connect ETIMEDOUT 10.0.0.1:443, token: getaddrinfo ENOTFOUND oauth2.googleapis.com',
    'InvalidProviderToken: The provider token is not valid',
    'device token: BadDeviceToken, registration token: NotRegistered, token: INVALID_ARGUMENT',
    'TokenExpiredError: jwt expired; InvalidSignatureException: Signature expired: it is too old',
    'Error validating access token: Session has expired on Monday, API key: does not exist',
    'Error during authorization: connect ECONNREFUSED 10.0.0.1:443',
    'systemd-run --uid=notif, uid=1000, Mailbox "Not Found" and user \'unknown\'',
    'device-token-of-anna-that-nobody-should-see-9f3c',
    'Grüße aus Köln 🎉',
  ])('leaves %j unchanged', (text) => {
    expect(scrub(text)).toBe(text);
  });

  test('shows characters in full width as usual ones, but not those that end a secret', () => {
    expect(scrub('错误：Ｅ１２ ＡＰＩ，失败！')).toBe('错误:E12 API，失败！');
    expect(scrub('{"password":"abc＂def＜ghi］jkl｝","a')).toBe('{"password":"•••","a');
  });

  test('extracts the visible text of a web page', () => {
    expect(scrub('<!DOCTYPE html><title>502</title>\n<body><h1>Bad&nbsp;Gateway</h1><!-- x -->\r\n</body>')).toBe(
      '502 Bad Gateway',
    );
  });

  test.each([
    ['<p>one<script>let a = 1;</script>two<!-- three -->four<br/>five', 'one two four five'],
    ['<p>one</p><x:pin>4711</x:pin>', 'one <x:pin>•••</x:pin>'],
    ['one\ttwo\r\n\nthree', 'one two three'],
    ['&amp;amp;gt; &#38;lt;', '> <'],
    ['&unknown; &#1234567; &#x110000; R&D', '&unknown; &#1234567; &#x110000; R&D'],
    ['say \\u0022hi\\u0022 and \\u005c', 'say \\u0022hi\\u0022 and \\u005c'],
  ])('shows what a person would see of %j', (text, seen) => {
    expect(scrub(text)).toBe(seen);
  });

  test.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['https://anna:hunter2@example.com', 'https://example.com/…'],
    ['https://[2001:db8::1]:8080/x', 'https://[2001:db8::1]:8080/…'],
    ['https://example.com:hunter2', 'https://example.com/…'],
    ['https:\\\\/\\\\/example.com\\\\/x', 'https://example.com/…'],
    ['hooks.example.com/services/T0 and 192.0.2.7:8080/x', 'hooks.example.com/… and 192.0.2.7:8080/…'],
    ['url=https%3A%2F%2Fexample.com', 'url=https://example.com'],
    ['url=https%3a%2f%2fanna%3Apw%40example.com%3A8443%2Fx and', 'url=https://example.com:8443/… and'],
  ])('shows only the host of %s', (text, shown) => {
    expect(scrub(text)).toBe(shown);
  });

  test.each([
    ['email=anna.schmidt%40example.com', 'email=a•••@example.com'],
    ['anna=example.com@mail.example.org', 'a•••@mail.example.org'],
    ['bounce+1=anna.schmidt@example.com', 'b•••@example.com'],
  ])('shows the first letter of the person, and the field, in %s', (text, shown) => {
    expect(scrub(text)).toBe(shown);
  });

  test.each([
    ["password='hunter2 or so' was refused", "password='•••' was refused"],
    ['body {\\"password\\":\\"hunter2\\",\\"port\\":25}', 'body {\\"password\\":\\"•••\\",\\"port\\":25}'],
    ['password=hunter2 at 12:30', 'password=••• at 12:30'],
    ['Authorization: Custom hunter2hunter2, x', 'Authorization: •••, x'],
    ['{"name":"X-Api-Key","value":"hunter2"},{"na', '{"name":"X-Api-Key","value":"•••"},{"na'],
    ['invalid token "hunter2hunter2" there', 'invalid token "•••" there'],
    ['got Bearer hunter2hunter2 there', 'got Bearer ••• there'],
    ['API key xyz-12345-abcde is refused', 'API key ••• is refused'],
    ['token=true secret=FALSE password=null', 'token=true secret=FALSE password=null'],
    ['token=xtrue secret=falsy password=nully', 'token=••• secret=••• password=•••'],
    ["password=hunter'2", 'password=•••'],
  ])('keeps what is around a secret, and says no more about it: %s', (text, shown) => {
    expect(scrub(text)).toBe(shown);
  });

  test.each([
    ['a key of letters and digits', 'aB3dEf6hIj9lMn2pQr5tUv8x'],
    ['a key of letters', 'aBcDEFgHiJKLmNoPqRsTuVwX'],
    ['a key of letters with few changes', 'orderURShippedReminderEmail'],
    ['a key with few digits', 'kqzvwx4bnm7plkjh2gfdsa9qwerty'],
    ['a key of 24 characters with four changes and a sign', 'abcdefgh1-abcdefgh2abcdef'],
    ['a key with signs', 'aB3d+Ef6h/Ij9l-Mn2pQr5_tUv8x=='],
  ])('masks %s that stands alone', (_, key) => {
    expect(scrub(`sent ${key} to it`)).toBe('sent ••• to it');
  });

  test.each([
    'aB3dEf6hIj9lMn2pQr5tUv8',
    'abcdefgh1abcdefghiabcdefg',
    'orderUShippedReminderEmail',
    'orderShippedReminderEmailForCustomers',
    'order-2024-reminder-email-for-customers',
    '550e8400-e29b-41d4-a716-446655440000-a1b2c3d',
  ])('leaves %s, which is too short or too regular for a key', (name) => {
    expect(scrub(`sent ${name} to it`)).toBe(`sent ${name} to it`);
  });

  test.each([
    ['access token: invalid_token: expired', 'access token: invalid_token: expired'],
    ['access token: invalid_token: hunter2', 'access token: •••'],
    ['authorization: token: hunter2', 'authorization: •••'],
    ['token: 200', 'token: •••'],
    ['token: notable', 'token: •••'],
    ['token:not_found', 'token:•••'],
    ['token: not-4711', 'token: •••'],
    [`token: not_${'n'.repeat(96)}`, `token: not_${'n'.repeat(96)}`],
    [`token: not_${'n'.repeat(97)}`, 'token: •••'],
  ])('takes what follows a name for an error only if it is one: %s', (text, shown) => {
    expect(scrub(text)).toBe(shown);
  });

  test('keeps JSON readable', () => {
    const scrubbed = scrub('{"password": "a\\"b", "to": ["anna@example.com"], "ok": false}');
    expect(JSON.parse(scrubbed)).toEqual({ password: '•••', to: ['a•••@example.com'], ok: false });
  });

  test('cuts a long text, but never within a character', () => {
    const scrubbed = scrub('🎉 '.repeat(2_000));
    expect(scrubbed.length).toBeLessThanOrEqual(SCRUBBED_LENGTH);
    expect(scrubbed.endsWith('🎉…')).toBe(true);
  });

  test('reads only the first 8,000 characters, however long and adversarial the text is', () => {
    const unkinds = [
      'a',
      ' ',
      '<',
      '<a ',
      '&amp;',
      'a@',
      'a.',
      '-',
      '1 ',
      'eyJ-',
      '"',
      '\\',
      'https://',
      '{"token":',
      'phone 1234567,',
      '+1',
      '(1)',
      '1-',
      'Jane ',
      'YUBi',
      'config:{',
      'your code ',
      'abcd ',
      '1234567,',
      '<!--',
    ];
    for (const unkind of unkinds) {
      const long = unkind.repeat(100_000 / unkind.length);
      expect(scrub(long)).toBe(scrub(long.slice(0, 8_001)));
      expect(scrub(scrub(long.slice(0, 7_999)))).toBe(scrub(long.slice(0, 7_999)));
    }
  });

  test('shows nothing of a secret that continues beyond what it reads', () => {
    for (const secret of [
      'SG.abcdefgh.ijklmnop',
      'anna.schmidt@example.com',
      '+49 170 1234567',
      'https://a:b@example.com/x',
    ]) {
      for (let shown = 1; shown < secret.length; shown++) {
        const text = `<p>${' '.repeat(8_000 - 3 - shown)}${secret}${' x'.repeat(100)}`;
        expect(scrub(text)).toMatch(/^(?:\+49|\+|)…?$/);
      }
    }
  });
});
