// node tools/executable/inspect.mjs <file>: which system and processor an executable is for, and whether the package is in it.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** The name under which the package lies in the file, as a note, a resource, or a section. */
const BLOB = 'NODE_SEA_BLOB';
const ELF_PROCESSORS = { 62: 'x64', 183: 'arm64' };
const PE_PROCESSORS = { 34404: 'x64', 43620: 'arm64' };
const MACHO_PROCESSORS = { 16777223: 'x64', 16777228: 'arm64' };
/** Resources of Windows that are bytes of a program's own. */
const RCDATA = 10;
/** Where a PE file says its resources and its signature are, among its directories. */
const [RESOURCES, SIGNATURE] = [2, 4];

/**
 * Returns what an executable is: platform and arch by Node's names, the bytes of what was put in (0 where nothing was), whether Node
 * looks for it, and, on Windows, the names of sections and whether a signature is left.
 */
export function inspect(bytes) {
  const fuse = bytes.indexOf(`${FUSE}:`, 0, 'latin1');
  const isOn = fuse >= 0 && bytes[fuse + FUSE.length + 1] === 0x31;
  if (bytes.readUInt32BE(0) === 0x7f454c46)
    return { platform: 'linux', arch: ELF_PROCESSORS[bytes.readUInt16LE(18)], blob: inElf(bytes), isOn };
  if (bytes.readUInt16LE(0) === 0x5a4d) return { platform: 'win32', ...inPe(bytes), isOn };
  if (bytes.readUInt32LE(0) === 0xfeedfacf)
    return { platform: 'darwin', arch: MACHO_PROCESSORS[bytes.readUInt32LE(4)], blob: inMacho(bytes), isOn };
  throw new Error('neither an executable of Linux, nor of Windows, nor of macOS');
}

function inElf(bytes) {
  const at = Number(bytes.readBigUInt64LE(32));
  const [size, count] = [bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  for (let i = 0; i < count; i += 1) {
    const header = at + i * size;
    // Only notes: the name, padded to four bytes, stands before what it names.
    if (bytes.readUInt32LE(header) !== 4) continue;
    let note = Number(bytes.readBigUInt64LE(header + 8));
    const end = note + Number(bytes.readBigUInt64LE(header + 32));
    while (note < end) {
      const [name, length] = [bytes.readUInt32LE(note), bytes.readUInt32LE(note + 4)];
      if (bytes.toString('latin1', note + 12, note + 12 + name).replace(/\0+$/, '') === BLOB) return length;
      note += 12 + Math.ceil(name / 4) * 4 + Math.ceil(length / 4) * 4;
    }
  }
  return 0;
}

/** Places of a PE file's header. */
const peOf = (bytes) => {
  const head = bytes.readUInt32LE(0x3c);
  const optional = head + 24;
  const directories = optional + (bytes.readUInt16LE(optional) === 0x20b ? 112 : 96);
  const first = optional + bytes.readUInt16LE(head + 20);
  const sections = Array.from({ length: bytes.readUInt16LE(head + 6) }, (_, i) => {
    const at = first + i * 40;
    return {
      name: bytes.toString('latin1', at, at + 8).replace(/\0+$/, ''),
      address: bytes.readUInt32LE(at + 12),
      size: bytes.readUInt32LE(at + 16),
      file: bytes.readUInt32LE(at + 20),
    };
  });
  return { head, directories, sections };
};

function inPe(bytes) {
  const { head, directories, sections } = peOf(bytes);
  return {
    arch: PE_PROCESSORS[bytes.readUInt16LE(head + 4)],
    sections: sections.map(({ name }) => name),
    isSigned: bytes.readUInt32LE(directories + SIGNATURE * 8) !== 0,
    blob: resourceOf(bytes, directories, sections),
  };
}

function resourceOf(bytes, directories, sections) {
  const address = bytes.readUInt32LE(directories + RESOURCES * 8);
  const within = sections.find((each) => address >= each.address && address < each.address + each.size);
  if (within === undefined) return 0;
  const root = within.file + address - within.address;
  const entries = (at) =>
    Array.from({ length: bytes.readUInt16LE(at + 12) + bytes.readUInt16LE(at + 14) }, (_, i) => {
      const entry = at + 16 + i * 8;
      const [id, to] = [bytes.readUInt32LE(entry), root + (bytes.readUInt32LE(entry + 4) & 0x7fffffff)];
      const text = root + (id & 0x7fffffff);
      const isNamed = id >= 0x80000000;
      return { to, id: isNamed ? bytes.toString('utf16le', text + 2, text + 2 + bytes.readUInt16LE(text) * 2) : id };
    });
  const data = entries(root).find(({ id }) => id === RCDATA);
  const blob = data && entries(data.to).find(({ id }) => id === BLOB);
  return blob ? bytes.readUInt32LE(entries(blob.to)[0].to + 4) : 0;
}

function inMacho(bytes) {
  let at = 32;
  for (let i = bytes.readUInt32LE(16); i > 0; i -= 1) {
    const name = bytes.toString('latin1', at + 8, at + 24).replace(/\0+$/, '');
    // A segment of 64 bits; its one section has the size of what was put in.
    if (bytes.readUInt32LE(at) === 0x19 && name === 'NODE_SEA') return Number(bytes.readBigUInt64LE(at + 72 + 40));
    at += bytes.readUInt32LE(at + 4);
  }
  return 0;
}

/** Returns a PE file without its signature, which is of the file before something was put in, so that Windows calls it broken. */
export function withoutSignature(bytes) {
  const entry = peOf(bytes).directories + SIGNATURE * 8;
  const [at, size] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)];
  if (at === 0) return bytes;
  if (at + size !== bytes.length) throw new Error('the signature of this executable does not end it');
  const rest = Buffer.from(bytes.subarray(0, at));
  rest.fill(0, entry, entry + 8);
  return rest;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(JSON.stringify(inspect(readFileSync(process.argv[2]))));
