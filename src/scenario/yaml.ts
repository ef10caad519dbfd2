/** The YAML library behind a door of its own, so that it is loaded only when somebody brings a file. */
export { LineCounter, parse, parseDocument } from 'yaml';
