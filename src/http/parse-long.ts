import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { Failure, fail } from '../contract/errors.ts';
import { inSlices, type Steps } from '../engine/slices.ts';
import { Bounds } from './parse.ts';

/** The bytes that are read between two checks of the time: about a millisecond of work. */
const PART = 16 * 1024;
/** The bytes of a text or a number that the library buffers until it is whole. */
const BUFFER = 64 * 1024;

/**
 * Returns the value of a long JSON text in UTF-8, which may have any number of values. It is read in slices, and other
 * calls are served between them, which `JSON.parse` would block. 400 `INVALID_REQUEST_FORMAT` as `parseJson`.
 */
export async function parseLong(bytes: Uint8Array): Promise<unknown> {
  try {
    return await inSlices(parsing(bytes));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail('INVALID_REQUEST_FORMAT', `the body is not JSON: ${(error as Error).message}`);
  }
}

function* parsing(bytes: Uint8Array): Steps<unknown> {
  let whole: unknown;
  const bounds = new Bounds(Number.POSITIVE_INFINITY);
  const tokenizer = new Tokenizer({ stringBufferSize: BUFFER, numberBufferSize: BUFFER });
  const parser = new TokenParser({ paths: ['$'], keepStack: true });
  parser.onValue = ({ value }) => {
    whole = value;
  };
  tokenizer.onToken = (token) => {
    count(bounds, token);
    parser.write(token);
  };
  const rethrow = (error: Error): never => {
    throw error;
  };
  [tokenizer.onError, parser.onError] = [rethrow, rethrow];
  for (let from = 0; from < bytes.length; from += PART) {
    tokenizer.write(bytes.subarray(from, from + PART));
    yield PART;
  }
  tokenizer.end();
  if (!parser.isEnded) throw new SyntaxError('it ends before its end');
  return whole;
}

function count(bounds: Bounds, { token }: ParsedTokenInfo): void {
  if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) bounds.open();
  else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) bounds.close();
  else if (token === TokenType.COLON) bounds.member();
  else if (token === TokenType.COMMA) bounds.next();
}
