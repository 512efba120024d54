import { catalogue } from '../entry.ts';
import { fix, ROTATE_KEY, slowDown, wait } from '../next-steps.ts';

const COMMON_ERRORS = 'https://docs.aws.amazon.com/ses/latest/APIReference/CommonErrors.html';

/** Errors of all AWS services about credentials, signatures and load. */
export const aws = catalogue({
  scope: { providers: ['ses', 'sns'] },
  codes: 'own',
  hosts: ['docs.aws.amazon.com'],
  source: COMMON_ERRORS,
  entries: [
    {
      code: [
        'AccessDenied',
        'AccessDeniedException',
        'AuthorizationError',
        'AuthorizationErrorException',
        'NotAuthorized',
      ],
      isBroad: true,
      meaning: "The AWS user or role isn't allowed to send",
      ...fix('credentials', 'Give it the right to send (ses:SendEmail and ses:SendRawEmail, or sns:Publish).'),
    },
    {
      code: ['InvalidClientTokenId', 'UnrecognizedClientException'],
      isBroad: true,
      text: 'the security token included in the request is invalid',
      meaning: "AWS doesn't know this access key",
      ...ROTATE_KEY,
    },
    {
      code: [
        'SignatureDoesNotMatch',
        'InvalidSignatureException',
        'IncompleteSignature',
        'IncompleteSignatureException',
      ],
      isBroad: true,
      meaning: "The AWS secret key doesn't fit its access key",
      ...fix('credentials', "Enter both keys again in the provider's integration."),
    },
    {
      code: ['ExpiredToken', 'ExpiredTokenException'],
      isBroad: true,
      text: 'the security token included in the request is expired',
      meaning: 'The temporary AWS credentials have expired',
      ...ROTATE_KEY,
    },
    {
      code: ['MissingAuthenticationToken', 'MissingAuthenticationTokenException'],
      isBroad: true,
      meaning: 'The request to AWS has no credentials',
      ...fix('credentials', "Enter the AWS keys in the provider's integration."),
    },
    {
      code: 'OptInRequired',
      isBroad: true,
      meaning: "The AWS account isn't signed up for this service or region",
      ...fix('credentials', 'Enable the service and region in the AWS account.'),
    },
    {
      code: ['RequestExpired', 'RequestExpiredException'],
      isBroad: true,
      meaning: "The request was more than 15 minutes away from AWS's clock",
      ...fix('setup', 'Set the clock of the service.'),
    },
    {
      code: ['Throttling', 'ThrottlingException', 'ThrottledException'],
      isBroad: true,
      meaning: 'AWS slowed us down: too many requests',
      ...slowDown(5),
    },
    {
      code: [
        'InvalidParameterValue',
        'InvalidParameterException',
        'InvalidParameter',
        'ValidationError',
        'ValidationException',
      ],
      isBroad: true,
      meaning: 'AWS refused a value of the request',
      ...fix('content', "See the error's text for the value, and correct the step or the subscriber."),
    },
    {
      code: ['InternalFailure', 'InternalError', 'InternalErrorException', 'InternalServiceError'],
      isBroad: true,
      meaning: 'AWS had an error of its own',
      ...wait(5),
    },
    {
      code: ['ServiceUnavailable', 'ServiceUnavailableException'],
      isBroad: true,
      meaning: 'The AWS service is overloaded or down',
      ...wait(5),
    },
  ],
});
